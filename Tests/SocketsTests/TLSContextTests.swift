import Sockets
import TestKit
import Testing

struct TLSContextTests {
    private func error(certificate: String, key: String) throws -> SocketError? {
        try TestCertificate.withFile(certificate) { certificate in
            try TestCertificate.withFile(key) { key in
                #expect(throws: SocketError.self) { try TLSContext(certificate: certificate, key: key) }
            }
        }
    }

    @Test func `a certificate and its key make a context`() throws {
        try TestCertificate.withFile(TestCertificate.certificate) { certificate in
            try TestCertificate.withFile(TestCertificate.key) { key in
                #expect(throws: Never.self) { try TLSContext(certificate: certificate, key: key) }
            }
        }
    }

    @Test func `a missing file is named`() {
        let error = #expect(throws: SocketError.self) {
            try TLSContext(certificate: "/nowhere/c.pem", key: "/nowhere/k.pem")
        }

        #expect(error?.reason == .tls)
        #expect(error?.message.contains("/nowhere/c.pem") == true)
        #expect(error?.message.contains("No such file") == true)
    }

    @Test func `a file that is no certificate is an error`() throws {
        let error = try error(certificate: "hello", key: TestCertificate.key)

        #expect(error?.message.hasPrefix("the certificate ") == true)
    }

    @Test func `a file that is no key is an error`() throws {
        let error = try error(certificate: TestCertificate.certificate, key: "hello")

        #expect(error?.message.hasPrefix("the key ") == true)
        #expect(error?.message.contains("cannot be used") == true)
    }

    @Test func `a key of another certificate is said to be so`() throws {
        let error = try error(certificate: TestCertificate.certificate, key: TestCertificate.otherKey)

        #expect(error?.message.contains("does not belong to the certificate") == true)
    }
}
