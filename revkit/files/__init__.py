"""Read the files of options and corpora, with limits, and identify them by their content.

================= ================================================================================
``reading``       one file: its bytes, its text, and why it cannot be read
``folders``       the files of a corpus, in a stable order, and the digest of all of them
``json_files``    the JSON value of a file, or its values one by one
``line_problems`` all problems of a file by line, for one error
``yaml_source``   YAML that a person writes: its values, the place of each, and what is wrong
``run_files``     the JSON files of a run folder (imported from its own module)
``csv_cells``     CSV files that a spreadsheet opens without running a formula, and their cells
``csv_tables``    columns and rows of comma-separated values, by line (imported from its own module)
``spreadsheets``  rows of an .xlsx or .csv file, with limits (imported from its own module)
``resources``     files that an installed package brings along, as "package:NAME/FILE"
``hub``           models in the cache of downloads, and data sets by their names
================= ================================================================================
"""

from revkit.files.csv_cells import csv_cell, csv_header, csv_line, text_in_cell, write_csv
from revkit.files.file_reader import Unreadable, decoded, opened, read_bytes, read_text
from revkit.files.folders import (
    CorpusFile,
    digest_of_file,
    digest_of_files,
    files_passed_over,
    files_under,
    find_files,
    keep_first,
    links_out,
    root_of,
    skip_files,
    skip_links,
)
from revkit.files.hub import HUB, cached_snapshot, hub_dataset
from revkit.files.json_files import (
    LINES,
    holds_json_lines,
    json_in_file,
    json_values,
    lines_of,
    parsed,
)
from revkit.files.line_problems import LineProblems, objects_in_lines
from revkit.files.resources import located, shipped_folder
from revkit.files.yaml_source import (
    Source,
    YamlValue,
    parse_source,
    read_source,
    scalar_of,
    to_yaml,
)
from revkit.model.values import digest_of_text as digest

__all__ = [
    "HUB",
    "LINES",
    "CorpusFile",
    "LineProblems",
    "Source",
    "Unreadable",
    "YamlValue",
    "cached_snapshot",
    "csv_cell",
    "csv_header",
    "csv_line",
    "decoded",
    "digest",
    "digest_of_file",
    "digest_of_files",
    "files_passed_over",
    "files_under",
    "find_files",
    "holds_json_lines",
    "hub_dataset",
    "json_in_file",
    "json_values",
    "keep_first",
    "lines_of",
    "links_out",
    "located",
    "objects_in_lines",
    "opened",
    "parse_source",
    "parsed",
    "read_bytes",
    "read_source",
    "read_text",
    "root_of",
    "scalar_of",
    "shipped_folder",
    "skip_files",
    "skip_links",
    "text_in_cell",
    "to_yaml",
    "write_csv",
]
