"""The measurements behind docs/performance.md: ``python -m benchmarks [NAME ...]``."""
