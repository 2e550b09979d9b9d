"""Clips: the box of an object on a PDF page, and the boxes of the paths that clip it."""

from __future__ import annotations

import ctypes
from typing import Any

Box = tuple[float, float, float, float]
"""Left, bottom, right and top in points."""
_MOST_POINTS = 40
_MOST_PATHS = 8
_SLACK = 1.0  # points


def bounds_of(thing: Any) -> Box | None:
    """Return the box of a page object; None if PDFium does not know it."""
    import pypdfium2.raw as raw

    edges = [ctypes.c_float() for _ in range(4)]
    if not raw.FPDFPageObj_GetBounds(thing, *map(ctypes.byref, edges)):
        return None
    left, bottom, right, top = (edge.value for edge in edges)
    return left, bottom, right, top


def is_clipped_away(thing: Any) -> bool:
    """Return whether a page object is outside one of the first paths that clip it."""
    import pypdfium2.raw as raw

    path = raw.FPDFPageObj_GetClipPath(thing)
    count = raw.FPDFClipPath_CountPaths(path) if path else 0
    if count <= 0:
        return False
    box = bounds_of(thing)
    return box is not None and any(
        clip is not None and _is_apart(box, clip)
        for clip in (_clip_of(path, number) for number in range(min(count, _MOST_PATHS)))
    )


def may_be_cut(thing: Any, box: Box) -> bool:
    """Return whether a clip may cut off a part of ``box``, or is too complex to say."""
    import pypdfium2.raw as raw

    path = raw.FPDFPageObj_GetClipPath(thing)
    count = raw.FPDFClipPath_CountPaths(path) if path else 0
    clips = (_clip_of(path, number) for number in range(max(count, 0)))
    return any(clip is None or not _encloses(clip, box) for clip in clips)


def _clip_of(path: Any, number: int) -> Box | None:
    """The box of one path of a clip; None for a path of many points."""
    import pypdfium2.raw as raw

    count = raw.FPDFClipPath_CountPathSegments(path, number)
    if not 0 < count <= _MOST_POINTS:
        return None
    x, y = ctypes.c_float(), ctypes.c_float()
    points = []
    for place in range(count):
        segment = raw.FPDFClipPath_GetPathSegment(path, number, place)
        if raw.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y)):
            points.append((x.value, y.value))
    if not points:
        return None
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return min(xs), min(ys), max(xs), max(ys)


def _is_apart(box: Box, clip: Box) -> bool:
    return box[2] < clip[0] or box[0] > clip[2] or box[3] < clip[1] or box[1] > clip[3]


def _encloses(clip: Box, box: Box) -> bool:
    return (
        clip[0] <= box[0] + _SLACK
        and clip[1] <= box[1] + _SLACK
        and clip[2] >= box[2] - _SLACK
        and clip[3] >= box[3] - _SLACK
    )
