"""Which colours an eye distinguishes in text."""

from __future__ import annotations

import pytest

from revkit.documents.word_colors import Palette, W
from revkit.documents.xml_parts import parse
from revkit.model.colors import Rgb, are_alike, contrast

A = "http://schemas.openxmlformats.org/drawingml/2006/main"
WHITE, BLACK = (255, 255, 255), (0, 0, 0)


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [
        (WHITE, BLACK, 21.0),
        (WHITE, (119, 119, 119), 4.48),
        ((118, 118, 118), WHITE, 4.54),
        (WHITE, (255, 0, 0), 4.0),
        (WHITE, (0, 0, 255), 8.59),
        (WHITE, (255, 255, 0), 1.07),
    ],
)
def test_the_contrast_is_that_of_public_tables(one: Rgb, other: Rgb, ratio: float) -> None:
    assert contrast(one, other) == pytest.approx(ratio, abs=0.005)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((225, 225, 225), WHITE),
        ((255, 255, 224), WHITE),
        ((255, 255, 217), WHITE),
        ((224, 255, 255), WHITE),
        (BLACK, (0, 0, 64)),
        ((31, 56, 100), (31, 56, 100)),
        ((51, 51, 153), (51, 51, 158)),
    ],
)
def test_colours_that_are_alike(one: Rgb, other: Rgb) -> None:
    assert are_alike(one, other)
    assert are_alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((222, 222, 222), WHITE),
        ((191, 191, 191), WHITE),
        ((255, 255, 0), WHITE),
        ((255, 0, 0), (124, 124, 124)),
        (WHITE, (31, 56, 100)),
        ((0, 0, 255), BLACK),
    ],
)
def test_colours_that_differ(one: Rgb, other: Rgb) -> None:
    assert not are_alike(one, other)
    assert not are_alike(other, one)


@pytest.mark.parametrize(
    ("accent", "change", "written"),
    [
        ("4472C4", 'w:themeTint="99"', "8EAADB"),
        ("4472C4", 'w:themeShade="BF"', "2F5496"),
        ("4472C4", 'w:themeShade="80"', "1F3763"),
        ("4F81BD", 'w:themeTint="99"', "95B3D7"),
        ("4F81BD", 'w:themeShade="BF"', "365F91"),
    ],
)
def test_tints_of_a_theme_are_those_that_word_writes_beside_them(
    accent: str, change: str, written: str
) -> None:
    theme = parse(
        f'<a:theme xmlns:a="{A}"><a:themeElements><a:clrScheme><a:accent1><a:srgbClr val="{accent}"'
        "/></a:accent1></a:clrScheme></a:themeElements></a:theme>".encode(),
        "theme1.xml",
    )
    color = parse(
        f'<w:color xmlns:w="{W[1:-1]}" w:val="000000" w:themeColor="accent1" {change}/>'.encode(),
        "document.xml",
    )
    found = Palette(theme, None).word_color(color, "val", "themeColor")
    expected = tuple(bytes.fromhex(written))
    assert all(abs(int(a) - b) <= 2 for a, b in zip(found, expected, strict=True))
