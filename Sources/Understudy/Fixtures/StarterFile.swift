/// What `fixtures init` writes: a file to begin with, that explains itself.
enum StarterFile {
    /// - Parameter file: its own name.
    static func text(_ file: String) -> String {
        """
        // Fixtures for Understudy: who is there when it starts. JSON; comments and trailing commas are allowed.
        //
        //   understudy fixtures check \(file)      says what is wrong, with line and column
        //   understudy serve --fixtures \(file)    these people instead of the built-in ones
        //   understudy serve --fixtures default --fixtures \(file)    both
        //
        // Signing keys are borrowed from the built-in fixtures as long as there is no section "keys" here.
        {
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
                "users": [
                    {
                        "id": "0d0f7b5e-6c1a-4a53-9a51-6f2b8f0c7a11",
                        "emails": [
                            { "address": "robin@example.com", "is_verified": true, "is_primary": true },
                        ],
                    },
                ],
            },

            // The clock runs with real time; take the slashes away to let it stand still.
            // "clock": { "now": "2026-01-02T03:04:05Z" },
        }

        """
    }
}
