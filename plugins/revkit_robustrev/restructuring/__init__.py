"""Restructuring: operations on the dependency parse of a sentence that keep its meaning."""

from revkit_robustrev.restructuring.equivalents import equivalents
from revkit_robustrev.restructuring.operations import Restructurer, apart
from revkit_robustrev.restructuring.view import Restructuring, Swap

__all__ = ["Restructurer", "Restructuring", "Swap", "apart", "equivalents"]
