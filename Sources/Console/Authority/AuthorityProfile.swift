package import Crypto
import Essentials
import PlatformKit

/// The development CA as files that systems install.
package struct AuthorityProfile: Sendable {
    package let certificate: Certificate

    package init(_ certificate: Certificate) { self.certificate = certificate }

    /// SHA-256 of the certificate, in the form in which systems show it: `9F:86:…`.
    package var fingerprint: String {
        let digits = Array(Hex.encode(Digest.sha256(certificate.der)).uppercased())
        return stride(from: 0, to: digits.count, by: 2).map { String(digits[$0..<$0 + 2]) }.joined(
            separator: ":")
    }

    /// The common name.
    package var name: String {
        get throws {
            try certificate.subject.first { $0.type == NameAttribute.commonName }?.value ?? "Understudy"
        }
    }

    /// A configuration profile with the certificate as a root, for iOS, iPadOS and macOS. The same CA has the same identifiers, so that a
    /// profile that is installed again replaces itself. Source: Apple, Configuration Profile Reference, “Certificate Payload”.
    package func mobileConfiguration() throws -> String {
        let digest = Digest.sha256(certificate.der)
        let (outer, inner) = (Self.uuid(Array(digest.prefix(16))), Self.uuid(Array(digest.suffix(16))))
        let name = try name.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
                <key>PayloadContent</key>
                <array>
                    <dict>
                        <key>PayloadCertificateFileName</key>
                        <string>understudy-ca.cer</string>
                        <key>PayloadContent</key>
                        <data>\(Data(certificate.der).base64EncodedString())</data>
                        <key>PayloadDisplayName</key>
                        <string>\(name)</string>
                        <key>PayloadIdentifier</key>
                        <string>understudy.ca.\(inner)</string>
                        <key>PayloadType</key>
                        <string>com.apple.security.root</string>
                        <key>PayloadUUID</key>
                        <string>\(inner)</string>
                        <key>PayloadVersion</key>
                        <integer>1</integer>
                    </dict>
                </array>
                <key>PayloadDescription</key>
                <string>Lets this device trust the development servers of one machine. It can vouch for no web site.</string>
                <key>PayloadDisplayName</key>
                <string>\(name)</string>
                <key>PayloadIdentifier</key>
                <string>understudy.ca</string>
                <key>PayloadRemovalDisallowed</key>
                <false/>
                <key>PayloadType</key>
                <string>Configuration</string>
                <key>PayloadUUID</key>
                <string>\(outer)</string>
                <key>PayloadVersion</key>
                <integer>1</integer>
            </dict>
            </plist>

            """
    }

    private static func uuid(_ bytes: [UInt8]) -> String { Entropy.uuid(of: bytes).uppercased() }
}
