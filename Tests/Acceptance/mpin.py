"""M-Pin on the curve BN254CX as a phone does it, with nothing but Python's integers.

Written from the published description of the protocol; it shares nothing with the server. A point of the curve is a pair of
integers, the point at infinity `None`; scalars are integers, binary values `bytes`. On the wire all of them are hexadecimal.

Source: Apache Milagro crypto library (MPIN, BN254CX); the open clients of MIRACL.
"""

import hashlib
import secrets
import struct

U = -0x4000000003C012B1
P = 36 * U**4 + 36 * U**3 + 24 * U**2 + 6 * U + 1
R = 36 * U**4 + 36 * U**3 + 18 * U**2 + 6 * U + 1
GENERATOR = P - 1, 1
CURVE = "BN254CX"


class NotAPoint(ValueError):
    """What came is no point of the curve."""


# Points: y² = x³ + 2.

def is_on_curve(point):
    x, y = point
    return 0 <= x < P and 0 <= y < P and (y * y - x * x * x - 2) % P == 0


def negative(point):
    return point and (point[0], -point[1] % P)


def double_jacobian(x, y, z):
    """Twice (x/z², y/z³)."""
    square = y * y % P
    s, m = 4 * x * square % P, 3 * x * x % P
    tripled = (m * m - 2 * s) % P
    return tripled, (m * (s - tripled) - 8 * square * square) % P, 2 * y * z % P


def add_jacobian(left, point):
    """(x/z², y/z³) and an affine point; `None` is infinity."""
    if left is None:
        return *point, 1
    x, y, z = left
    squared = z * z % P
    h, step = (point[0] * squared - x) % P, (point[1] * squared * z - y) % P
    if h == 0:
        return double_jacobian(x, y, z) if step == 0 else None
    h2 = h * h % P
    h3, v = h * h2 % P, x * h2 % P
    new = (step * step - h3 - 2 * v) % P
    return new, (step * (v - new) - y * h3) % P, z * h % P


def affine(jacobian):
    if jacobian is None:
        return None
    x, y, z = jacobian
    inverse = pow(z, -1, P)
    square = inverse * inverse % P
    return x * square % P, y * square * inverse % P


def times(scalar, point):
    """The multiple of a point; the scalar may be negative."""
    result = None
    if point is None:
        return None
    for bit in bin(scalar % R)[2:]:
        if result:
            result = double_jacobian(*result)
        if bit == "1":
            result = add_jacobian(result, point)
    return affine(result)


def add(*points):
    result = None
    for point in points:
        if point:
            result = add_jacobian(result, point)
    return affine(result)


# Encodings.

def hex_of(point):
    """04 and both coordinates."""
    return "04" + "".join(f"{coordinate:064x}" for coordinate in point)


def point_of(text):
    """The point of such a text."""
    data = bytes.fromhex(text)
    if len(data) != 65 or data[0] != 4:
        raise NotAPoint(text)
    point = int.from_bytes(data[1:33], "big"), int.from_bytes(data[33:], "big")
    if not is_on_curve(point):
        raise NotAPoint(text)
    return point


def new_scalar():
    return secrets.randbelow(R - 1) + 1


# From an identity to its point.

def sha256(data):
    return hashlib.sha256(data).digest()


def map_to_point(digest):
    """The first point at or after the hash as an x; of its two y the even one."""
    x = int.from_bytes(digest, "big") % P
    while pow(square := (x * x * x + 2) % P, (P - 1) // 2, P) == P - 1:
        x = (x + 1) % P
    y = pow(square, (P + 1) // 4, P)
    return x, y if y % 2 == 0 else P - y


def identity_hash(mpin_id, public_key=b""):
    """The hash of an M-Pin id, behind which the public key stands where the identity has one. All three are bytes."""
    return sha256(mpin_id + public_key)


def date_hash(day, hashed):
    """The hash for a time permit; days count from 1970."""
    return sha256(struct.pack(">I", day) + hashed)


# What a phone computes.

class Identity:
    """What a phone keeps of an identity: no PIN, and nothing from which a PIN could be told.

    - secret: the number whose inverse makes the public key; 1 where an identity has no key pair.
    """

    def __init__(self, mpin_id, shares, pin, secret=1, public_key=""):
        self.mpin_id, self.public_key, self.secret = mpin_id, public_key, secret
        self.hashed = identity_hash(bytes.fromhex(mpin_id), bytes.fromhex(public_key))
        self.point = map_to_point(self.hashed)
        whole = times(secret, add(*map(point_of, shares)))
        self.token = add(whole, times(-int(pin), self.point))

    def permitted(self, day):
        """The identity's point for a day with a time permit."""
        return add(self.point, map_to_point(date_hash(day, self.hashed)))

    def commit(self, x=None):
        """The number drawn for a proof, and the point that goes out first."""
        x = x or new_scalar()
        return x, times(x, self.point)

    def answer(self, x, y, pin, permit=None):
        """What goes out second. With a time permit, `permit` is the sum of its shares."""
        return times(-(x + y), add(self.token, times(int(pin), self.point), permit))

    def sign(self, message, timestamp, pin, x=None):
        """A signature, which is a proof in one pass: both points."""
        x, u = self.commit(x)
        return u, self.answer(x, signature_challenge(timestamp, u, message), pin)


def signature_challenge(timestamp, u, message):
    """What takes the place of the server's random number in a signature; `message` are the bytes themselves."""
    return int.from_bytes(sha256(struct.pack(">I", timestamp) + bytes.fromhex(hex_of(u)) + message), "big") % R


# What a server computes that has the master secret.

def accepts(master, u, y, v, point):
    """Whether a proof is right, of an identity without key pair. With a time permit, `u` and `point` are those for the day."""
    return v == times(-master, add(u, times(y, point)))


def is_off_by(error, master, u, y, v, point, permitted=None):
    """Whether the PIN of a proof differs by so much from that of the registration. `permitted` are `u` and `point` for the day."""
    base = add(u, times(y, point))
    day_u, day_point = permitted or (u, point)
    return add(v, times(master, add(day_u, times(y, day_point)))) == times(-error, base)
