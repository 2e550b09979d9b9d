"""Titles of Markdown papers whose first heading has no mark: right values written by hand."""

import pytest

from revkit.papers import find_title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Gates for sets\n==============\n\nWe study gates.\n", "Gates for sets"),
        ("Gates for sets\n---\n\nIntroduction\n---\n\nWe study gates.\n", "Gates for sets"),
        ("Abstract\n========\n\nWe study gates.\n", ""),
        ("We study gates.\nThey are\n---\n\nWe do.\n\n# Sets\n\nText.\n", "Sets"),
        ("- item\n---\n\nText of it.\n", ""),
        (
            "---\ntitle: Gates that skip\nauthor: A. Roy\n---\n\n# Intro\n\nText.\n",
            "Gates that skip",
        ),
        ('---\ntitle: "Gates: a study"\n---\n\nText.\n', "Gates: a study"),
        ("---\ntitle: >\n  Gates that\n  skip\n---\n\nText.\n", "Gates that skip"),
        ("---\nauthor: A. Roy\n---\n\n# Gates\n\nText.\n", "Gates"),
        ("---\ntitle: [a\n---\n\n# Gates\n\nText.\n", "Gates"),
        ("---\ntitle: 3\n---\n\n# Gates\n\nText.\n", "Gates"),
        ("---\n\n# Gates\n\nText.\n", "Gates"),
        ("# Gates\n\nSets\n====\n\nText.\n", "Gates"),
    ],
)
def test_the_title_is_underlined_or_in_yaml(text: str, title: str) -> None:
    assert find_title(text) == title


@pytest.mark.parametrize("value", ["[" * 5_000, "&a [*a, *a]", "!!python/object:os.system x"])
def test_hostile_yaml_gives_no_title(value: str) -> None:
    assert find_title(f"---\ntitle: {value}\n---\n\n# Gates\n\nText.\n") == "Gates"
