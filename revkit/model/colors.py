"""Colours: which two look alike in text, by their luminance and hue.

Each reader of a format uses this rule: PDF, Word, HTML and LaTeX.
"""

from __future__ import annotations

Color = tuple[float, float, float]
"""Red, green and blue, 0 to 255 each."""
Rgb = tuple[int, int, int]
"""A colour in whole numbers."""
WHITE: Rgb = (255, 255, 255)
LUMINANCE_SHARES = (0.2126, 0.7152, 0.0722)
"""The shares of red, green and blue in the relative luminance of a colour (WCAG 2)."""
GLARE = 0.05
"""What the contrast ratio of WCAG 2 adds to both luminances."""
LEAST_CONTRAST = 1.31
"""Text is read from this contrast ratio up: grey of 224 on white has 1.32, of 225 has 1.308."""
MOST_ALIKE = (64, 64, 128)
"""A larger difference in red, green or blue is seen as another hue, whatever the luminance. Blue
has twice the bound, because it hardly adds to the luminance by which an eye reads small letters."""


def linear(value: float) -> float:
    """The light of one channel of sRGB: ``value`` 0 to 255, the result 0 to 1."""
    share = value / 255
    return float(share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4)


def luminance(color: Color) -> float:
    """The relative luminance of ``color``, 0 to 1."""
    return sum(share * linear(value) for share, value in zip(LUMINANCE_SHARES, color, strict=True))


def contrast(one: Color, other: Color) -> float:
    """The contrast ratio of two colours, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + GLARE) / (low + GLARE)


def are_alike(one: Color, other: Color) -> bool:
    """Whether an eye does not read text of one colour on a ground of the other."""
    pairs = zip(one, other, MOST_ALIKE, strict=True)
    return all(abs(a - b) <= most for a, b, most in pairs) and contrast(one, other) < LEAST_CONTRAST
