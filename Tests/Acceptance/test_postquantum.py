"""ML-KEM and ML-DSA of the module PostQuantum: every known answer of FIPS 203 and 204 that pyca/cryptography is tested with, and both ways
against that library, whose implementation is OpenSSL's."""

from importlib.resources import files

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import mldsa, mlkem
from postquantum_tool import Tool
from understudy import BINARY

PROGRAM = BINARY.parent / "PostQuantumTool"
ANSWERS = files("cryptography_vectors") / "asymmetric"

EXCHANGES = {
    "ML-KEM-768": (mlkem.MLKEM768PrivateKey, mlkem.MLKEM768PublicKey),
    "ML-KEM-1024": (mlkem.MLKEM1024PrivateKey, mlkem.MLKEM1024PublicKey),
}
SIGNATURES = {
    "ML-DSA-65": (mldsa.MLDSA65PrivateKey, mldsa.MLDSA65PublicKey),
    "ML-DSA-87": (mldsa.MLDSA87PrivateKey, mldsa.MLDSA87PublicKey),
}
ROUNDS = 40


@pytest.fixture(scope="module")
def tool():
    assert PROGRAM.exists(), f"{PROGRAM} is not there; build it with swift build --product PostQuantumTool"
    with Tool(PROGRAM) as tool:
        yield tool


def rows(path):
    """The rows of a file of known answers: members by name, as bytes."""
    row = {}
    for line in (ANSWERS / path).read_text().splitlines():
        name, separator, value = line.partition(" =")
        if name == "count" and row:
            yield row
            row = {}
        if separator and name not in ("count", "mlen", "smlen"):
            row[name] = bytes.fromhex(value.strip())
    yield row


@pytest.mark.parametrize("name", EXCHANGES)
def test_known_answers_of_ml_kem(tool, name):
    count = 0
    for row in rows(f"MLKEM/kat_{name.replace('ML-KEM-', 'MLKEM_')}.rsp"):
        assert tool.ask("kem-key", name, row["d"] + row["z"]) == [row["pk"], row["sk"]]
        assert tool.ask("kem-encapsulate", name, row["pk"], row["msg"]) == [row["ct"], row["ss"]]
        assert tool.ask("kem-decapsulate", name, row["sk"], row["ct"]) == [row["ss"]]
        assert tool.ask("kem-decapsulate", name, row["sk"], row["ct_n"]) == [row["ss_n"]]
        count += 1
    assert count == 1000


@pytest.mark.parametrize("name", SIGNATURES)
def test_known_answers_of_ml_dsa(tool, name):
    count = 0
    for row in rows(f"MLDSA/kat_{name.replace('ML-DSA-', 'MLDSA_')}_det_pure.rsp"):
        message, context = row["msg"], row.get("ctx", b"")
        signature = row["sm"][:len(row["sm"]) - len(message)]
        assert tool.ask("dsa-key", name, row["xi"]) == [row["pk"], row["sk"]]
        assert tool.ask("dsa-sign", name, row["xi"], message, context, b"") == [signature]
        assert tool.verifies(name, row["pk"], message, context, signature)
        assert not tool.verifies(name, row["pk"], message + b"!", context, signature)
        count += 1
    assert count == 100


@pytest.mark.parametrize("name", EXCHANGES)
def test_secrets_are_told_both_ways(tool, name):
    private, public = EXCHANGES[name]
    for number in range(ROUNDS):
        seed, message = bytes([number]) * 64, bytes([255 - number]) * 32
        theirs = private.from_seed_bytes(seed)
        key, pair = tool.ask("kem-key", name, seed)
        assert key == theirs.public_key().public_bytes_raw()
        ciphertext, secret = tool.ask("kem-encapsulate", name, key, message)
        assert theirs.decapsulate(ciphertext) == secret
        secret, ciphertext = public.from_public_bytes(key).encapsulate()
        assert tool.ask("kem-decapsulate", name, pair, ciphertext) == [secret]
        foreign = bytes([ciphertext[0] ^ 1]) + ciphertext[1:]
        assert tool.ask("kem-decapsulate", name, pair, foreign) == [theirs.decapsulate(foreign)]


@pytest.mark.parametrize("name", SIGNATURES)
def test_signatures_are_verified_both_ways(tool, name):
    private, public = SIGNATURES[name]
    for number in range(ROUNDS):
        seed, message, context = bytes([number]) * 32, bytes([number]) * (7 * number), bytes([number]) * number
        theirs = private.from_seed_bytes(seed)
        key, _ = tool.ask("dsa-key", name, seed)
        assert key == theirs.public_key().public_bytes_raw()
        assert tool.verifies(name, key, message, context, theirs.sign(message, context))
        [signature] = tool.ask("dsa-sign", name, seed, message, context, bytes([number]) * 32)
        verifier = public.from_public_bytes(key)
        verifier.verify(signature, message, context)
        with pytest.raises(InvalidSignature):
            verifier.verify(signature, message + b"!", context)
