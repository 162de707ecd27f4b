import Essentials
import PlatformKit

/// A certificate that signs itself, for `localhost` and `127.0.0.1`, valid from 2020 to 2120; made with the `openssl`
/// command. It protects nothing.
package enum TestCertificate {
    package static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBaDCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
        c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
        CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABPHkpEJb7Gq7Yoqk
        ouukYPLIy6/4Fgy8/jabxhyCuQrThh+6kJtoe/otMDWSm1MH1IqZ9DW4cjh04Hr9
        Jup3Xi6jTjBMMA8GA1UdEwEB/wQFMAMBAf8wGgYDVR0RBBMwEYIJbG9jYWxob3N0
        hwR/AAABMB0GA1UdDgQWBBToGLDBi7KVAZybWDJfMtRnmTF8qTAKBggqhkjOPQQD
        AgNJADBGAiEA2xXQup95a5J03pabk1OVBpBeTA3WASPu7g9PKkTznSYCIQCaiqFh
        3eqOCnYYoy7lah6AqTP7C7P9KQ+5LFeBRg4RQA==
        -----END CERTIFICATE-----

        """

    package static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgxrnCv8Eg9wkaXZ/W
        MP9dEDNOOTlQg0/2h1Qf4+ojyZ6hRANCAATx5KRCW+xqu2KKpKLrpGDyyMuv+BYM
        vP42m8YcgrkK04YfupCbaHv6LTA1kptTB9SKmfQ1uHI4dOB6/Sbqd14u
        -----END PRIVATE KEY-----

        """

    /// A key of the same kind that belongs to nothing.
    package static let otherKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgVFmlYvVmMLVOR4IQ
        8Xj8hB5eb7QtazPK0PVDcsfmLdShRANCAASXogYE3pf+3Kn7oWQqubh00ZinVW9X
        w8KUtFsSrp8c4NGpAu6UzsIUw/WVdA2DOJJx0bWHdgrb2UIFkupBdcy2
        -----END PRIVATE KEY-----

        """

    /// Calls `body` with the path of a file that holds `text`, and removes the file.
    package static func withFile<Result>(
        _ text: String, _ body: (String) throws -> Result
    ) throws -> Result {
        let name = "understudy-\(Entropy.system.identifier(for: "test.certificate")).pem"
        let url = FileManager.default.temporaryDirectory.appending(path: name)
        try Data(text.utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        return try body(url.path)
    }
}
