"""The anchor bank: its format and corpus, coverage, and custody (rotation, watermarks, leakage).

The modules are used by name: `revkit_asc.bank.anchor` (anchors, banks, the file format),
`revkit_asc.bank.reader`, `revkit_asc.bank.coverage`, `revkit_asc.bank.rotation`,
`revkit_asc.bank.watermark`, `revkit_asc.bank.leakage`, `revkit_asc.bank.generate`.
"""
