"""Numbers in a row, kept in a tree with the largest of each part."""

from __future__ import annotations

__all__ = ["MaximumTree"]


class MaximumTree:
    """Numbers in a row: the same is added to all between two places, and the largest is asked for.

    >>> tree = MaximumTree(5)
    >>> tree.add(1, 4, 7); tree.add(2, 3, 1)
    >>> tree.largest(0, 5), tree.largest(3, 5)
    ((8, 2), (7, 3))
    """

    def __init__(self, number: int) -> None:
        self.size = 1 << max(number - 1, 1).bit_length()
        self.most = [0] * (2 * self.size)
        self.all = [0] * (2 * self.size)

    def add(self, first: int, last: int, value: int) -> None:
        """Add a value to the numbers from the first place on, before the last one."""
        left, right = first + self.size, last + self.size
        ends = left, right - 1
        while left < right:
            if left & 1:
                self._all(left, value)
                left += 1
            if right & 1:
                right -= 1
                self._all(right, value)
            left >>= 1
            right >>= 1
        for n in ends:
            while n := n >> 1:
                self.most[n] = max(self.most[2 * n], self.most[2 * n + 1]) + self.all[n]

    def _all(self, n: int, value: int) -> None:
        self.most[n] += value
        self.all[n] += value

    def largest(self, first: int, last: int) -> tuple[int, int]:
        """Return the largest number from the first place on, before the last one, and its place."""
        left, right = first + self.size, last + self.size
        best = None
        while left < right:
            for n in ([left] if left & 1 else []) + ([right - 1] if right & 1 else []):
                above, m = 0, n
                while m := m >> 1:
                    above += self.all[m]
                if best is None or self.most[n] + above > best[0]:
                    best = self.most[n] + above, n
            left = (left + 1) >> 1
            right >>= 1
        if best is None:
            return -1, first
        found, n = best
        while n < self.size:
            n = max((2 * n, 2 * n + 1), key=self.most.__getitem__)
        return found, n - self.size
