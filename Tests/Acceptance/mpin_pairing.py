"""The second curve of BN254CX, where the public keys of M-Pin identities are, and a pairing to check their proofs.

Everything here is chosen for being short and unlike the server's way: affine points, a Tate pairing over all bits of the group
order, and polynomials multiplied as one large integer.
"""

from mpin import P, R, add, new_scalar, times


class Complex:
    """re + im·i over the field of p, with i² = -1."""

    def __init__(self, re, im=0):
        self.re, self.im = re % P, im % P

    def __eq__(self, other):
        return (self.re, self.im) == (other.re, other.im)

    def __add__(self, other):
        return Complex(self.re + other.re, self.im + other.im)

    def __sub__(self, other):
        return Complex(self.re - other.re, self.im - other.im)

    def __mul__(self, other):
        return Complex(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)

    def __truediv__(self, other):
        norm = pow(other.re * other.re + other.im * other.im, -1, P)
        return self * Complex(other.re * norm, -other.im * norm)


#: y² = x³ + 2/(1+i), and the generator of its subgroup of order r.
TWISTED = Complex(1, -1)
GENERATOR = (
    Complex(0x19682D2C7053B256358B2500F5C34BBB907C85BFA03E2726C0851CEEE4D2EC74,
            0x1466B9EC3E19F64AA011C937A8E99743F81B97B0C209C30F47A58E8B2E29CFE1),
    Complex(0x0A79EDD972332B8DD81E22157DAEE2096361B33D847EC1B30CFBFCEBCF0BE09F,
            0x06160C39ECC4C09035C6E4512D8D3461C2864EA569D2EDEBED904B228898EE9D))


def is_on_twist(point):
    x, y = point
    return y * y == x * x * x + TWISTED


def add_twisted(left, right):
    if left is None or right is None:
        return left or right
    if left[0] != right[0]:
        slope = (right[1] - left[1]) / (right[0] - left[0])
    elif left[1] == right[1] and left[1] != Complex(0):
        slope = Complex(3) * left[0] * left[0] / (Complex(2) * left[1])
    else:
        return None
    x = slope * slope - left[0] - right[0]
    return x, slope * (left[0] - x) - left[1]


def times_twisted(scalar, point):
    """The multiple by a number that is not reduced, so that it serves points outside the subgroup too."""
    result = None
    for bit in bin(scalar)[2:]:
        result = add_twisted(result, result)
        if bit == "1":
            result = add_twisted(result, point)
    return result


def key_hex(point):
    """Real and imaginary part of x, then of y."""
    return "".join(f"{part:064x}" for coordinate in point for part in (coordinate.re, coordinate.im))


def key_of(text):
    assert len(text) == 256, text
    parts = [int(text[at:at + 64], 16) for at in range(0, 256, 64)]
    assert all(part < P for part in parts), text
    return Complex(*parts[:2]), Complex(*parts[2:])


def new_key_pair():
    """A secret number, and the public key in hexadecimal: the generator times the number's inverse."""
    secret = new_scalar()
    return secret, public_key_of(secret)


def public_key_of(secret):
    return key_hex(times_twisted(pow(secret, -1, R), GENERATOR))


def root_of(value):
    """A square root, or `None`."""
    norm = (value.re * value.re + value.im * value.im) % P
    for root in (pow(norm, (P + 1) // 4, P), -pow(norm, (P + 1) // 4, P)):
        half = (value.re + root) * pow(2, -1, P) % P
        re = pow(half, (P + 1) // 4, P)
        if re and (found := Complex(re, value.im * pow(2 * re, -1, P))) and found * found == value:
            return found
    return None


def point_outside_the_subgroup():
    """A point of the second curve whose order is not r, in hexadecimal."""
    for start in range(1, 1000):
        x = Complex(start)
        if (y := root_of(x * x * x + TWISTED)) and times_twisted(R, (x, y)) is not None:
            return key_hex((x, y))
    raise AssertionError("the twist has a large cofactor")


# The field of the pairing: polynomials in w up to w¹¹ with w¹² = 2·w⁶ - 2, so that w⁶ is 1 + i.

#: Bytes that hold the sum of twelve products of coefficients.
WIDTH = 66
ONE = [1] + [0] * 11
EXPONENT = (P**6 + 1) // R


def multiply(left, right):
    """The product, by one multiplication of integers that hold all coefficients far enough apart."""
    def packed(value):
        return int.from_bytes(b"".join(one.to_bytes(WIDTH, "little") for one in value), "little")

    data = (packed(left) * packed(right)).to_bytes(WIDTH * 24, "little")
    found = [int.from_bytes(data[at:at + WIDTH], "little") for at in range(0, WIDTH * 23, WIDTH)]
    for at in range(22, 11, -1):
        found[at - 6] += 2 * found[at]
        found[at - 12] -= 2 * found[at]
    return [one % P for one in found[:12]]


def power(value, exponent):
    """Four bits at a time."""
    table = [ONE]
    for _ in range(15):
        table.append(multiply(table[-1], value))
    result = ONE
    for digit in f"{exponent:x}":
        for _ in range(4):
            result = multiply(result, result)
        result = multiply(result, table[int(digit, 16)])
    return result


def untwisted(point):
    """Where a point of the twist lies on the first curve over the large field: x·w² and y·w³."""
    x, y = point
    return {2: x.re - x.im, 8: x.im}, {3: y.re - y.im, 9: y.im}


def line(at, slope, x, y):
    """The line through a point of the first curve, evaluated at (x, y)."""
    result = [(slope * at[0] - at[1]) % P] + [0] * 11
    for power_of_w, part in x.items():
        result[power_of_w] = -slope * part % P
    for power_of_w, part in y.items():
        result[power_of_w] = part % P
    return result


def miller(point, other):
    """The function with an r-fold zero at the point, at the other point; without the vertical lines, which vanish later."""
    x, y = untwisted(other)
    value, at = ONE, point
    for bit in bin(R)[3:]:
        slope = 3 * at[0] * at[0] * pow(2 * at[1], -1, P) % P
        value, at = multiply(multiply(value, value), line(at, slope, x, y)), add(at, at)
        if bit == "1" and at[0] != point[0]:
            slope = (at[1] - point[1]) * pow(at[0] - point[0], -1, P) % P
            value, at = multiply(value, line(at, slope, x, y)), add(at, point)
    return value


def cancel(*pairs):
    """Whether the product of the pairings is one.

    What is left of the final exponent, p⁶ - 1, makes one exactly of the field of p⁶, which is the polynomials in w².
    """
    product = ONE
    for point, other in pairs:
        product = multiply(product, miller(point, other))
    return not any(power(product, EXPONENT)[1::2])


def accepts_with_key(master, u, y, v, point, public_key):
    """Whether a proof is right, of an identity with key pair."""
    key = key_of(public_key)
    assert is_on_twist(key) and times_twisted(R, key) is None
    return cancel((v, key), (times(master, add(u, times(y, point))), GENERATOR))
