// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(of name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: [.byName(name: name)] + dependencies, swiftSettings: strict)
}

let package = Package(
    name: "understudy",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "understudy", targets: ["Understudy"])],
    targets: [
        // One system library each, and the modules that speak it in Swift.
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "openssl",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(
            name: "CQREncode", pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]),
        module("Essentials"),
        module("SQLite", ["CSQLite", "Essentials"]),
        module("Crypto", ["COpenSSL", "Essentials"]),
        module("QRCode", ["CQREncode", "Essentials"]),

        // The wire.
        module("HTTP", ["Essentials"]),
        module("Sockets", ["COpenSSL", "Essentials"]),
        module("HTTPServer", ["HTTP", "Sockets", "Essentials"]),
        module("HTTPClient", ["HTTP", "Sockets", "Essentials"]),
        module("Mail", ["Essentials"]),
        module("MailServer", ["Mail", "Sockets", "Essentials"]),
        module("JOSE", ["Crypto", "Essentials"]),

        // Key exchange and signatures of FIPS 203 and 204, which OpenSSL has from 3.5 on.
        module("PostQuantum", ["Crypto", "Essentials"]),

        // Passkeys, per the standard and without a vendor.
        module("WebAuthn", ["Crypto", "Essentials"]),

        // Devices in software: the client's side of a platform's protocol.
        module("DeviceKit", ["Essentials"]),
        module("PowerAuthDevice", ["DeviceKit", "PostQuantum", "Crypto", "JOSE", "Essentials"]),
        module("MIRACLDevice", ["DeviceKit", "HTTP", "Crypto", "Essentials"]),
        module("NextAuthDevice", ["DeviceKit", "HTTP", "Crypto", "Essentials"]),
        module("OneginiDevice", ["DeviceKit", "HTTP", "Crypto", "Essentials"]),

        // A real service in the place of a platform: what changes between it and a client.
        module("Upstream", ["HTTP", "HTTPClient", "Essentials"]),

        // What makes a platform, and the platforms.
        module("PlatformKit", ["Upstream", "HTTP", "HTTPClient", "SQLite", "Crypto", "JOSE", "Essentials"]),
        module("OpenID", ["PlatformKit", "HTTP", "SQLite", "Crypto", "JOSE", "Essentials"]),
        module(
            "Hanko",
            [
                "OpenID", "WebAuthn", "QRCode", "PlatformKit", "HTTP", "SQLite", "Crypto", "JOSE", "Embedded",
                "Essentials",
            ]),
        module(
            "Onegini", ["OpenID", "QRCode", "PlatformKit", "HTTP", "SQLite", "Crypto", "JOSE", "Essentials"]),
        module(
            "PowerAuth",
            [
                "OpenID", "QRCode", "PostQuantum", "PlatformKit", "HTTP", "SQLite", "Crypto", "JOSE",
                "Essentials",
            ]),
        module(
            "MIRACL",
            ["OpenID", "QRCode", "PlatformKit", "HTTP", "SQLite", "Crypto", "JOSE", "Essentials"]),
        module(
            "NextAuth", ["QRCode", "PlatformKit", "HTTP", "SQLite", "Crypto", "JOSE", "Essentials"]),
        module(
            "SampleApp",
            [
                "OpenID", "PlatformKit", "HTTP", "HTTPClient", "QRCode", "SQLite", "Crypto", "JOSE",
                "Essentials",
            ]),

        // The one call of Twilio that sends text messages, for the outbox.
        module("Twilio", ["Mail", "PlatformKit", "HTTP", "SQLite", "Essentials"]),

        // Simulated phones, whose apps speak to the platforms over HTTP.
        module(
            "Phone",
            [
                "DeviceKit", "MIRACLDevice", "NextAuthDevice", "OneginiDevice", "PowerAuthDevice",
                "PlatformKit",
                "HTTP", "SQLite", "QRCode", "Crypto", "Essentials",
            ]),

        module(
            "PasskeyAPI", ["WebAuthn", "PlatformKit", "HTTP", "SQLite", "Crypto", "JOSE", "Essentials"]),

        // The list of all of them.
        module(
            "Platforms",
            [
                "Essentials", "Hanko", "MIRACL", "NextAuth", "Onegini", "PasskeyAPI", "Phone",
                "PlatformKit", "PowerAuth", "SampleApp", "Twilio",
            ]),

        // A recording of a real service held against the emulated ones.
        module(
            "Comparison",
            [
                "DeviceKit", "MIRACLDevice", "NextAuthDevice", "OneginiDevice", "PowerAuthDevice",
                "PlatformKit", "HTTP", "WebAuthn", "Crypto", "JOSE", "PostQuantum", "Essentials",
            ]),

        // The program.
        module(
            "Console",
            [
                "Comparison", "Phone", "PlatformKit", "Upstream", "Mail", "WebAuthn", "HTTP", "SQLite",
                "QRCode", "Crypto", "JOSE", "Essentials",
            ]),
        .executableTarget(
            name: "Understudy",
            dependencies: [
                "Console", "Comparison", "Platforms", "Phone", "QRCode", "PlatformKit", "Upstream",
                "HTTPServer",
                "HTTPClient", "HTTP", "MailServer", "Mail", "Sockets", "SQLite",
                "Crypto", "JOSE", "Embedded", "COpenSSL", "Essentials",
            ],
            swiftSettings: strict),

        // Web/ and Fixtures/, carried inside the binary.
        .executableTarget(name: "Embed", dependencies: ["Essentials"], swiftSettings: strict),
        .plugin(
            name: "EmbedPlugin", capability: .buildTool(), dependencies: ["Embed"],
            path: "Sources/EmbedPlugin"),
        .target(name: "Embedded", swiftSettings: strict, plugins: ["EmbedPlugin"]),

        // Tests.
        module("TestKit", ["PlatformKit", "HTTP", "SQLite", "Crypto", "Embedded", "Essentials"]),
        tests(of: "SQLite", ["Essentials"]),
        tests(of: "Crypto", ["Essentials"]),
        tests(of: "JOSE", ["Crypto", "Essentials"]),
        .testTarget(name: "HouseTests", swiftSettings: strict),
        tests(of: "PlatformKit", ["TestKit", "HTTP", "HTTPServer", "Sockets", "SQLite", "Essentials"]),
        tests(of: "HTTP"),
        tests(of: "Upstream", ["HTTP"]),
        tests(
            of: "Console",
            [
                "Phone", "TestKit", "PlatformKit", "Upstream", "WebAuthn", "HTTP", "SQLite", "Crypto", "JOSE",
                "Essentials",
            ]),
        tests(
            of: "Understudy",
            [
                "Console", "Platforms", "Phone", "TestKit", "PlatformKit", "HTTPServer", "HTTPClient", "HTTP",
                "Sockets",
                "SQLite",
                "QRCode", "Crypto", "Essentials",
            ]),
        tests(of: "Sockets", ["TestKit", "Essentials"]),
        tests(of: "HTTPServer", ["TestKit", "HTTP", "Sockets", "Essentials"]),
        tests(of: "HTTPClient", ["HTTP"]),
        tests(of: "Mail", ["Essentials"]),
        tests(of: "MailServer", ["Mail", "Sockets", "TestKit", "Essentials"]),
        tests(
            of: "Hanko",
            [
                "WebAuthn", "SQLite", "TestKit", "PlatformKit", "HTTP", "HTTPServer", "Sockets", "Crypto",
                "JOSE",
                "Embedded", "Essentials",
            ]),
        tests(of: "Comparison", ["HTTP", "Crypto", "Essentials"]),
        tests(of: "Twilio", ["TestKit", "PlatformKit", "HTTP", "Essentials"]),
        tests(of: "QRCode", ["Essentials"]),
        tests(of: "OpenID", ["TestKit", "PlatformKit", "HTTP", "SQLite", "Crypto", "JOSE", "Essentials"]),
        tests(
            of: "Onegini",
            [
                "OneginiDevice", "TestKit", "OpenID", "PlatformKit", "HTTP", "HTTPServer", "Sockets",
                "SQLite", "Crypto",
                "JOSE", "Embedded",
                "Essentials",
            ]),
        tests(
            of: "PowerAuth",
            [
                "TestKit", "PowerAuthDevice", "DeviceKit", "SampleApp", "PlatformKit", "HTTP", "HTTPClient",
                "HTTPServer",
                "Sockets", "SQLite",
                "PostQuantum", "Crypto", "JOSE", "Embedded", "Essentials",
            ]),
        tests(
            of: "MIRACL",
            [
                "TestKit", "SampleApp", "OpenID", "PlatformKit", "HTTP", "HTTPServer", "Sockets", "SQLite",
                "Crypto", "JOSE", "Embedded", "Essentials",
            ]),
        tests(
            of: "NextAuth",
            [
                "TestKit", "PlatformKit", "HTTP", "HTTPServer", "Sockets", "SQLite", "Crypto", "JOSE",
                "Embedded",
                "Essentials",
            ]),
        tests(of: "WebAuthn", ["Crypto", "Essentials"]),
        tests(of: "PostQuantum", ["Crypto", "Essentials"]),
        tests(of: "PowerAuthDevice", ["DeviceKit", "PostQuantum", "Crypto", "JOSE", "Essentials"]),
        tests(
            of: "MIRACLDevice",
            ["MIRACL", "DeviceKit", "TestKit", "PlatformKit", "HTTP", "Crypto", "Essentials"]),
        tests(
            of: "OneginiDevice",
            ["Onegini", "DeviceKit", "TestKit", "PlatformKit", "HTTP", "Crypto", "Essentials"]),
        tests(
            of: "NextAuthDevice",
            ["NextAuth", "DeviceKit", "TestKit", "PlatformKit", "HTTP", "Crypto", "Essentials"]),
        tests(
            of: "Phone",
            [
                "MIRACL", "NextAuth", "PowerAuth", "DeviceKit", "PowerAuthDevice", "TestKit", "PlatformKit",
                "HTTP", "HTTPServer",
                "Sockets", "QRCode",
                "SQLite", "Essentials",
            ]),
        tests(
            of: "SampleApp",
            ["TestKit", "PlatformKit", "HTTP", "HTTPServer", "Sockets", "Crypto", "JOSE", "Essentials"]),
        tests(
            of: "PasskeyAPI",
            ["WebAuthn", "TestKit", "PlatformKit", "HTTP", "SQLite", "Crypto", "Essentials"]),
        .executableTarget(
            name: "WorldsBench",
            dependencies: [
                "Platforms", "PlatformKit", "SQLite", "Essentials",
            ], path: "Tests/Bench/Worlds", swiftSettings: strict),
        .executableTarget(
            name: "PostQuantumTool", dependencies: ["PostQuantum", "Crypto", "Essentials"],
            path: "Tests/PostQuantumTool", swiftSettings: strict),
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "HTTP", "HTTPServer", "HTTPClient", "Sockets", "Mail", "WebAuthn", "PostQuantum", "Crypto",
                "Console",
                "Phone", "PowerAuthDevice", "DeviceKit",
                "Platforms", "PlatformKit", "Embedded", "SQLite", "Comparison", "Upstream", "Essentials",
            ], path: "Tests/Fuzz", exclude: ["Platforms/bodies.jsonl", "MIME/reference.py"],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
