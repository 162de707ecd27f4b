"""Certificates of the tests' own, for services behind a mount."""

import datetime

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DAY = datetime.timedelta(days=1)


class Authority:
    """An authority of the tests' own, and what it signs."""

    def __init__(self, folder, name):
        self.folder, self.name = folder, x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self.key = ec.generate_private_key(ec.SECP256R1())
        made = self._sign(self.name, self.key.public_key(), DAY).add_extension(
            x509.BasicConstraints(ca=True, path_length=0), critical=True).sign(self.key, hashes.SHA256())
        self.file = folder / f"{name}.pem"
        self.file.write_bytes(made.public_bytes(serialization.Encoding.PEM))

    def _sign(self, subject, key, end):
        now = datetime.datetime.now(datetime.timezone.utc)
        return (x509.CertificateBuilder().subject_name(subject).issuer_name(self.name).public_key(key)
                .serial_number(x509.random_serial_number()).not_valid_before(now - 3 * DAY).not_valid_after(now + end))

    def server(self, host, end=DAY):
        """Files of a certificate for `host` and of its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        made = self._sign(x509.Name([]), key.public_key(), end).add_extension(
            x509.SubjectAlternativeName([x509.DNSName(host)]), critical=True).sign(self.key, hashes.SHA256())
        files = self.folder / "server.pem", self.folder / "server.key"
        files[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
        files[1].write_bytes(key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
        return files
