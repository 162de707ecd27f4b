import Crypto
import Essentials
import WebAuthn

/// Who vouches for software authenticators whose attestation has certificates: a maker of the name Understudy. Its keys are public and
/// prove nothing; a relying party under test takes ``root`` for its list of trusted makers.
enum DevelopmentAttestation {
    /// The certificate of the development CA, for ever the same.
    static let root = """
        -----BEGIN CERTIFICATE-----
        MIIBuDCCAV6gAwIBAgIBATAKBggqhkjOPQQDAjBSMQswCQYDVQQGEwJBUTETMBEG
        A1UECgwKVW5kZXJzdHVkeTEuMCwGA1UEAwwlVW5kZXJzdHVkeSBkZXZlbG9wbWVu
        dCBhdHRlc3RhdGlvbiBDQTAgFw0wMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAw
        MFowUjELMAkGA1UEBhMCQVExEzARBgNVBAoMClVuZGVyc3R1ZHkxLjAsBgNVBAMM
        JVVuZGVyc3R1ZHkgZGV2ZWxvcG1lbnQgYXR0ZXN0YXRpb24gQ0EwWTATBgcqhkjO
        PQIBBggqhkjOPQMBBwNCAAQMh5t1Za4LVAMZpxgGVYf6YvTTAQCAsnKdlOFIGX0u
        WfWYODJGY9XwZm1jVheQPJB3bwzepqtM2GCXZ32M7XIioyMwITAPBgNVHRMBAf8E
        BTADAQH/MA4GA1UdDwEB/wQEAwICBDAKBggqhkjOPQQDAgNIADBFAiB9NZYedLIV
        DwJ+UjBD6FDKWtncN65Icbj4DK8bl5nZsAIhANPLg4oppga+SRJyL90LkGC8Qt8T
        1mqQhxWAHb8lF+dG
        -----END CERTIFICATE-----

        """

    static func authority() throws -> AttestationAuthority {
        try AttestationAuthority(
            key: PrivateKey(pem: rootKey), root: Certificate(pem: root), batchKey: PrivateKey(pem: batchKey),
            from: begin, to: end)
    }

    /// 2000-01-01 and 2100-01-01, so that it is valid wherever a world's clock stands.
    private static let begin = Date(timeIntervalSince1970: 946_684_800)
    private static let end = Date(timeIntervalSince1970: 4_102_444_800)

    private static let rootKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgmyaVqt+gtAeFWfB8
        MVdT0Mrjk4N48+jlw1q4pPImM0ShRANCAAQMh5t1Za4LVAMZpxgGVYf6YvTTAQCA
        snKdlOFIGX0uWfWYODJGY9XwZm1jVheQPJB3bwzepqtM2GCXZ32M7XIi
        -----END PRIVATE KEY-----

        """

    private static let batchKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgxKzr3mP6epvMXHZG
        nEq4asXjmY69VJl7vd8iCwapjWahRANCAASnd1mPlqJlenIc0ajqcRU0wYT4J6yS
        qGKPagW9JRgEQctdB0zidcNO4Zc9YaXoNvZnUEAtKsVTH8H67b+5xhmJ
        -----END PRIVATE KEY-----

        """
}
