import Embedded
import PlatformKit
import Platforms

/// What `fixtures init` writes: a file to begin with, that explains itself.
enum StarterFile {
    /// Those that have a file of their own.
    static let platforms = Platforms.all.map { $0.name }.filter { EmbeddedFile.at(path($0)) != nil }.sorted()

    private static func path(_ platform: String) -> String { "Fixtures/starters/\(platform).json" }

    /// - Parameter file: its own name.
    static func text(_ file: String, of platform: String) throws -> String {
        guard let starter = EmbeddedFile.at(path(platform)) else {
            throw Failure("this program was built without \(path(platform))")
        }
        return String(decoding: starter.bytes, as: UTF8.self).replacing("$FILE", with: file)
    }

    /// Something of everything. - Parameter file: its own name.
    static func text(_ file: String) -> String {
        """
        // Fixtures for Understudy: the users it starts with. JSON; comments and trailing commas are allowed.
        //
        //   understudy fixtures check \(file)      lists mistakes, with line and column
        //   understudy serve --fixtures \(file)    these people instead of the built-in ones
        //   understudy serve --fixtures default --fixtures \(file)    both
        //
        // Signing keys come from the built-in fixtures unless there is a section "keys" here.
        {
            // For editors, from a server that runs; or a file, made by: understudy schema > schema.json
            "$schema": "http://localhost:8420/_understudy/v1/schema.json",

            // People as the banner and the console introduce them.
            "people": [
                {
                    "id": "robin",
                    "name": "Robin Example",
                    "email": "robin@example.com",
                    "story": "signs in with a passcode",
                },
            ],

            // Hanko: users who can sign in with a passcode by mail.
            "hanko": {
                // Hanko's own configuration; what is left out has Hanko's own default.
                "config": {
                    // Passcode endpoints exist only while MFA is off.
                    "mfa": { "enabled": false },
                    // Native apps read X-Auth-Token. False for the session cookie that browsers use instead.
                    "session": { "enable_auth_token_header": true },
                },
                "users": [
                    {
                        "id": "0d0f7b5e-6c1a-4a53-9a51-6f2b8f0c7a11",
                        "emails": [
                            { "address": "robin@example.com", "is_verified": true, "is_primary": true },
                        ],
                    },
                ],
            },

            // The clock runs in real time; remove the slashes to freeze it.
            // "clock": { "now": "2026-01-02T03:04:05Z" },
        }

        """
    }
}
