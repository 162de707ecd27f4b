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
    /// By its name or by its first line, where JSON does not begin. Comments of YAML are none of JSON.
    static func isLikely(_ bytes: [UInt8], file: String) -> Bool {
        let lines = bytes.prefix(4096).split { $0 == 0x0A || $0 == 0x0D }.lazy
            .map { String(decoding: $0, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" } }
        guard let first = lines.first(where: { !$0.isEmpty && !$0.hasPrefix("#") }) else { return false }
        if first.hasPrefix("{") || first.hasPrefix("[") || first.hasPrefix("/") { return false }
        let name = file.lowercased()
        return name.hasSuffix(".yaml") || name.hasSuffix(".yml") || first == "---" || first.hasPrefix("--- ")
            || first.hasPrefix("%YAML") || first.hasPrefix("- ")
            || first.prefixMatch(of: #/[\w$.-]+:(\s|$)/#) != nil
    }

    /// The line is good for the yq in Python (Debian's) and for the one in Go, which have one name and different options.
    static func advice(_ file: String) -> String {
        let name = file.replacing(/\.(ya?ml|json|txt)$/, with: "")
        let json = name + (file.hasSuffix(".json") ? "-json.json" : ".json")
        return
            "\(file) is YAML. Make JSON of it, with Debian's yq or the one in Go: yq -j . \(file) > \(json)"
    }
}
