/// How the clients of mobile teams come to trust the development CA: what to type or to press, client by client.
package struct TrustGuide: Sendable {
    package struct Step: Sendable {
        /// As `understudy ca trust NAME` knows it.
        package let name: String
        package let title: String
        /// Sentences for people.
        package let words: String
        /// Lines to copy; empty where there is nothing to type.
        package let lines: [String]
    }

    /// Path of `ca.pem`.
    private let file: String
    /// Where the server answers without TLS, for phones: `http://192.168.1.5:8420`.
    private let server: String
    /// Where it answers with it: `https://localhost:8420`.
    private let secure: String

    package init(file: String, server: String, secure: String) {
        (self.file, self.server, self.secure) = (file, server, secure)
    }

    package var steps: [Step] { apple + android + runtimes + browsers }

    private var apple: [Step] {
        [
            Step(
                name: "ios-simulator", title: "iOS simulator", words: "Start the simulator first.",
                lines: ["xcrun simctl keychain booted add-root-cert \(file)"]),
            Step(
                name: "ios", title: "iPhone, iPad",
                words:
                    "Open the address in Safari and allow the profile. Install it in Settings > General > VPN & Device Management; then "
                    + "switch it on in Settings > General > About > Certificate Trust Settings.",
                lines: ["\(server)/_understudy/ca.mobileconfig"]),
            Step(
                name: "macos", title: "macOS, with Safari and Chrome", words: "",
                lines: [
                    "security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db \(file)"
                ]),
        ]
    }

    private var android: [Step] {
        [
            Step(
                name: "android", title: "Android emulator and device",
                words:
                    "Settings > Security > Encryption & credentials > Install a certificate > CA certificate, and choose the file in "
                    + "Downloads; on a device, its browser can fetch it from \(server)/_understudy/ca.crt. Browsers trust it then; an app needs "
                    + "the next step as well.",
                lines: ["adb push \(file) /sdcard/Download/understudy-ca.crt"]),
            Step(
                name: "android-app", title: "An app for Android",
                words:
                    "Debug builds trust what their network security configuration names: res/xml/network_security_config.xml, with "
                    + "android:networkSecurityConfig=\"@xml/network_security_config\" at <application>. With the certificate in the app, "
                    + "nothing needs installing.",
                lines: [
                    "mkdir -p app/src/debug/res/raw && cp \(file) app/src/debug/res/raw/understudy_ca.pem",
                    "<network-security-config>", "    <debug-overrides>", "        <trust-anchors>",
                    "            <certificates src=\"@raw/understudy_ca\"/>",
                    "            <certificates src=\"user\"/>", "        </trust-anchors>",
                    "    </debug-overrides>", "</network-security-config>",
                ]),
        ]
    }

    private var runtimes: [Step] {
        [
            Step(
                name: "curl", title: "curl", words: "",
                lines: ["curl --cacert \(file) \(secure)/_understudy/v1/health"]),
            Step(
                name: "node", title: "Node", words: "In addition to its own authorities.",
                lines: ["export NODE_EXTRA_CA_CERTS=\(file)"]),
            Step(
                name: "deno", title: "Deno, uv",
                words:
                    "The first for Deno, in addition to its own authorities; the second for uv, in place of its own.",
                lines: ["export DENO_CERT=\(file)", "export SSL_CERT_FILE=\(file)"]),
            Step(
                name: "python", title: "Python",
                words:
                    "The first for ssl, urllib and httpx, the second for requests; each replaces the system's authorities.",
                lines: ["export SSL_CERT_FILE=\(file)", "export REQUESTS_CA_BUNDLE=\(file)"]),
            Step(
                name: "java", title: "Java",
                words:
                    "A truststore for one program, which replaces Java's own; or, with keytool, an addition to the authorities of this Java.",
                lines: [
                    "understudy ca export --format p12 --output understudy-ca.p12",
                    "java -Djavax.net.ssl.trustStore=understudy-ca.p12 -Djavax.net.ssl.trustStoreType=PKCS12 "
                        + "-Djavax.net.ssl.trustStorePassword=changeit …",
                    "keytool -importcert -noprompt -cacerts -storepass changeit -alias understudy -file \(file)",
                ]),
        ]
    }

    private var browsers: [Step] {
        [
            Step(
                name: "chromium", title: "Chrome and Chromium on Linux",
                words: "certutil comes with libnss3-tools (Debian, Ubuntu) or nss-tools (Fedora).",
                lines: [
                    "mkdir -p ~/.pki/nssdb && [ -f ~/.pki/nssdb/cert9.db ] || certutil -d sql:$HOME/.pki/nssdb -N --empty-password",
                    "certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n understudy -i \(file)",
                ]),
            Step(
                name: "firefox", title: "Firefox",
                words:
                    "Settings > Privacy & Security > Certificates > View Certificates > Authorities > Import, and trust it to identify web sites.",
                lines: []),
            Step(
                name: "linux", title: "Debian and Ubuntu, system-wide",
                words: "For curl, Go, Ruby and everything else that uses the system's authorities.",
                lines: [
                    "sudo cp \(file) /usr/local/share/ca-certificates/understudy-ca.crt && sudo update-ca-certificates"
                ]),
        ]
    }
}
