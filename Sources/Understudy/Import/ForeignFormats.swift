import Essentials

/// Every kind of file of another program that is known.
enum ForeignFormats {
    /// The more telling first.
    static let all: [any ForeignFormat.Type] = [
        KeycloakRealm.self, MockOAuth2Configuration.self, OIDCServerMock.self, HankoConfiguration.self,
    ]

    /// Whose file it is; nil for fixtures of our own and for what nobody knows.
    static func format(of value: JSONValue) -> (any ForeignFormat.Type)? { all.first { $0.fits(value) } }

    /// Refuses a file of another program with what to do with it.
    ///
    /// - Throws: ``Failure``.
    static func refuse(_ bytes: [UInt8], file: String) throws {
        if YAML.isLikely(bytes, file: file) { throw Failure(YAML.advice(file)) }
        // What is no JSON, be it for a comment, is none of theirs.
        guard let value = try? JSONValue(parsing: bytes), let format = format(of: value) else { return }
        let made = "understudy fixtures import \(file) --output fixtures.json"
        throw Failure("\(file) is \(format.title), no fixtures of Understudy. Make some of it: \(made)")
    }
}

/// What is no JSON and is often brought along.
enum YAML {
    /// By its name, where JSON does not begin.
    static func isLikely(_ bytes: [UInt8], file: String) -> Bool {
        let name = file.lowercased()
        guard name.hasSuffix(".yaml") || name.hasSuffix(".yml") else { return false }
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return first != UInt8(ascii: "{") && first != UInt8(ascii: "[")
    }

    /// The line is good for the yq in Python (Debian's) and for the one in Go, which have one name and different options.
    static func advice(_ file: String) -> String {
        let json = file.replacing(/\.ya?ml$/, with: ".json")
        return
            "\(file) is YAML. Make JSON of it, with Debian's yq or the one in Go: yq -j . \(file) > \(json)"
    }
}
