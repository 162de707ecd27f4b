package import PlatformKit
import SQLite

extension NextAuth: SetsUpCallers {
    /// Of the first virtual server. The vendor's SDK and its configuration are not public; these are the values that it is given.
    package func setup(for place: Setup.Place) throws -> Setup? {
        let url = place.url(Self.name)
        let (server, key) = try database.read { db in
            (try db.all(Server.self).first, try db.all(APIKey.self).first)
        }
        guard let server else { return nil }
        var setup = Setup(values: [.init("Server URL", url), .init("Server ID", server.id)])
        switch place.caller {
        case .iOS, .android:
            setup.values += [
                .init("Server public key", server.publicKey), .init("Device protocol", url + "/device/v1"),
            ]
            setup.snippets = [place.caller == .iOS ? Self.swift(url) : Self.kotlin(url)]
            setup.notes = [
                "The wire format of the vendor's Mobile SDK is closed. A stub with its names speaks the open device protocol instead: “understudy stub” prints it, and the page “Stubs of closed SDKs” of the documentation (/docs/stubs) says how an app is built with it."
            ]
        case .web:
            setup.notes = ["Web pages show what the back end asks for: the code to scan, and whether it was."]
        case .backEnd: setup.values += key.map { [.init("API key (X-apikey)", $0.key)] } ?? []
        case .curl:
            setup.snippets =
                key.map { [.init("Shell", "curl -H 'X-apikey: \($0.key)' \(url)/servers/\(server.id)")] }
                ?? []
        }
        return setup
    }

    private static func swift(_ url: String) -> Setup.Snippet {
        .init(
            "Stub, Swift (module NextAuth)",
            """
            \("import") NextAuth

            NextAuth.connect("\(url)", constants: .init(appLoginInactivityTimeout: "5m", singleAccount: true))
            """)
    }

    private static func kotlin(_ url: String) -> Setup.Snippet {
        .init(
            "Stub, Kotlin",
            """
            \("import") com.nextauth.android.NextAuth

            NextAuth.connect(
                "\(url)", \"""{"appLoginInactivityTimeout": "5m", "singleAccount": true}\""",
                File(filesDir, "nextauth.json"))
            """)
    }
}
