"""Finite fields: the numbers 0 to q − 1, added and multiplied by tables. 0 and 1 are the zero and one of the field."""

from dataclasses import dataclass
from functools import cache
from itertools import product


@dataclass(frozen=True, slots=True)
class Field:
    add: tuple[tuple[int, ...], ...]
    multiply: tuple[tuple[int, ...], ...]

    @property
    def order(self) -> int:
        return len(self.add)

    def negative(self, element: int) -> int:
        return self.add[element].index(0)

    def powers(self) -> list[int]:
        """1, w, w² … of a primitive element w: all elements but 0, once each."""
        return next(powers for w in range(1, self.order) if len(powers := self._powers(w)) == self.order - 1)

    def _powers(self, base: int) -> list[int]:
        powers = [1]
        while (after := self.multiply[powers[-1]][base]) != 1:
            powers.append(after)
        return powers


@cache
def field(order: int) -> Field:
    """The field of this order. ValueError if the order is not a prime power."""
    prime, degree = _prime_power(order)
    modulus = _irreducible(prime, degree)
    elements = range(order)
    digits = [_digits(element, prime, degree) for element in elements]
    number = {coefficients: element for element, coefficients in enumerate(digits)}
    add = tuple(
        tuple(
            number[tuple((a + b) % prime for a, b in zip(digits[one], digits[other], strict=True))]
            for other in elements
        )
        for one in elements
    )
    multiply = tuple(
        tuple(number[_product(digits[one], digits[other], modulus, prime)] for other in elements) for one in elements
    )
    return Field(add, multiply)


def is_prime_power(order: int) -> bool:
    try:
        _prime_power(order)
    except ValueError:
        return False
    return True


def _prime_power(order: int) -> tuple[int, int]:
    prime = next((divisor for divisor in range(2, order + 1) if order % divisor == 0), 0)
    degree, left = 0, order
    while prime and left % prime == 0:
        degree, left = degree + 1, left // prime
    if not prime or left != 1:
        raise ValueError(f"there is no field of {order} elements")
    return prime, degree


def _digits(element: int, prime: int, degree: int) -> tuple[int, ...]:
    """The coefficients of the element as a polynomial, the constant first."""
    return tuple(element // prime**place % prime for place in range(degree))


def _product(one: tuple[int, ...], other: tuple[int, ...], modulus: tuple[int, ...], prime: int) -> tuple[int, ...]:
    degree = len(one)
    result = [0] * (2 * degree - 1)
    for (at, a), (by, b) in product(enumerate(one), enumerate(other)):
        result[at + by] = (result[at + by] + a * b) % prime
    for high in range(len(result) - 1, degree - 1, -1):
        # x^degree is the negative of the rest of the modulus.
        for place, coefficient in enumerate(modulus):
            result[high - degree + place] = (result[high - degree + place] - result[high] * coefficient) % prime
    return tuple(result[:degree])


def _irreducible(prime: int, degree: int) -> tuple[int, ...]:
    """The lower coefficients of an irreducible polynomial x^degree + …: no product of smaller ones is 0 modulo it."""
    if degree == 1:
        return (0,)
    smaller = [_digits(element, prime, degree) for element in range(1, prime**degree)]
    for low in product(range(prime), repeat=degree):
        if all(any(_product(one, other, low, prime)) for one in smaller for other in smaller):
            return low
    raise ValueError(f"no polynomial of degree {degree} over {prime}")
