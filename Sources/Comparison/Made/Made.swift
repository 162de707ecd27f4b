package import Essentials

/// What a recording takes for granted, shows surely, and the fixtures lack: a client, a person, a tenant. It is made in the worlds in which
/// the recording is played.
package struct Made: Sendable, Equatable {
    /// A full sentence that names it.
    package let sentence: String
    /// A fixture file that has it and nothing else.
    package let fixtures: JSONValue

    init(_ sentence: String, _ fixtures: JSONValue) {
        (self.sentence, self.fixtures) = (sentence, fixtures)
    }

    /// The fixture file on one line, without its secrets: a report is shown around.
    package var line: String { Self.masked(fixtures, isSecret: false).text }

    private static let secrets: Set = ["client_secret", "password", "api_keys"]

    private static func masked(_ json: JSONValue, isSecret: Bool) -> JSONValue {
        switch json {
        case .object(let members):
            .object(
                .init(
                    uniqueKeysWithValues: members.map { name, value in
                        (name, masked(value, isSecret: isSecret || secrets.contains(name)))
                    }))
        case .array(let elements): .array(elements.map { masked($0, isSecret: isSecret) })
        case .string: isSecret ? "its secret" : json
        default: json
        }
    }
}

extension Made {
    /// One fixture file with all of it, secrets too.
    package static func file(_ made: [Made]) -> JSONValue {
        made.reduce(.object([:])) { joined($0, $1.fixtures) }
    }

    private static func joined(_ one: JSONValue, _ other: JSONValue) -> JSONValue {
        switch (one, other) {
        case (.object(let mine), .object(let theirs)): .object(mine.merging(theirs, uniquingKeysWith: joined))
        case (.array(let mine), .array(let theirs)): .array(mine + theirs.filter { !mine.contains($0) })
        default: other
        }
    }
}
