"""Retry-After in every form that servers write, and the pause between tries."""

from __future__ import annotations

import email.utils
import time

import pytest

from revkit.http import LONGEST_RETRY_AFTER, Backoff, Pace, retry_after

NOW = 1_700_000_000.0  # Tue, 14 Nov 2023 22:13:20 GMT


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "2"}, 2.0),
        ({"Retry-After": "1.5"}, 1.5),
        ({"Retry-After": " 3 "}, 3.0),
        ({"retry-after": "0"}, 0.0),
        ({"Retry-After": "86400"}, 86400.0),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "1"}, 1.0),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": ""}, None),
        ({"Retry-After": "-5"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "inf"}, None),
        ({"Retry-After": "1e9"}, None),
        ({"Retry-After": "٣"}, None),
        ({"Retry-After": "999999999999"}, LONGEST_RETRY_AFTER),
        ({"Retry-After": "9" * 13}, None),
        ({"Retry-After": "9" * 5000}, None),
        # Dates of RFC 9110, section 5.6.7, in its three forms; +30 s each.
        ({"Retry-After": "Tue, 14 Nov 2023 22:13:50 GMT"}, 30.0),
        ({"Retry-After": "Tuesday, 14-Nov-23 22:13:50 GMT"}, 30.0),
        ({"Retry-After": "Tue Nov 14 22:13:50 2023"}, 30.0),
        ({"Retry-After": "Tue, 14 Nov 2023 22:13:50"}, 30.0),
        ({"Retry-After": "Tue, 14 Nov 2023 22:13:50 -0000"}, 30.0),
        ({"Retry-After": "Tue, 14 Nov 2023 23:13:50 +0100"}, 30.0),
        ({"Retry-After": "Thu, 01 Jan 1970 00:00:00 GMT"}, 0.0),
        ({"Retry-After": "Fri, 31 Dec 9999 23:59:59 GMT"}, LONGEST_RETRY_AFTER),
        # The zone of the review of reliability (finding 6b): it raised OverflowError.
        ({"Retry-After": "Mon, 01 Jan 2024 00:00:00 +99999999999999"}, None),
        ({"Retry-After": "Mon, 01 Jan 2024 00:00:00 -99999999999999"}, None),
        ({"Retry-After": "Mon, 01 Jan 0001 00:00:00 +2359"}, 0.0),
        ({"Retry-After": "Mon, 99 Jan 2024 00:00:00 GMT"}, None),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Asia/Kolkata"])
def test_a_date_without_a_zone_is_gmt_everywhere(
    monkeypatch: pytest.MonkeyPatch, zone: str
) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        assert retry_after({"Retry-After": "Tue, 14 Nov 2023 22:13:50"}, NOW) == 30.0
    finally:
        monkeypatch.delenv("TZ")
        time.tzset()


def test_a_date_counts_from_the_clock() -> None:
    date = email.utils.formatdate(time.time() + 60, usegmt=True)
    seconds = retry_after({"Retry-After": date})
    assert seconds is not None
    assert 57 <= seconds <= 60


def test_pauses_double_up_to_the_longest() -> None:
    backoff = Backoff(1.0, 10.0)
    assert [backoff.pause(tries, None, 1.0) for tries in (1, 2, 3, 4, 5, 900)] == [
        1.0, 2.0, 4.0, 8.0, 10.0, 10.0,
    ]  # fmt: skip
    assert backoff.pause(3, None, 0.0) == 2.0


def test_a_pause_is_never_shorter_than_asked_for() -> None:
    backoff = Backoff(1.0, 10.0)
    assert backoff.pause(1, 9.0, 0.0) == pytest.approx(9.05)
    assert backoff.pause(1, 10.0, 1.0) == pytest.approx(10.1)
    assert backoff.pause(1, 10.5, 1.0) is None
    assert Backoff(0.0, 10.0).pause(1, 0.0, 0.5) == 0.0


def test_turns_at_a_host_keep_their_distance() -> None:
    pace = Pace()
    started = time.monotonic()
    for path in ("a", "b", "c"):
        pace.wait(f"http://127.0.0.1:1/{path}", 20.0)
    assert time.monotonic() - started >= 0.1
    waits = []
    for port in range(2, 7):  # the least of five: any one of them may lose its processor
        started = time.monotonic()
        pace.wait(f"http://127.0.0.1:{port}/", 20.0)
        waits.append(time.monotonic() - started)
    assert min(waits) < 0.05
