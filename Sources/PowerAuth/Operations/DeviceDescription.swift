import Essentials

/// What the user agent of the vendor's SDKs says of a device:
/// `NETWORKING/VERSION (LANGUAGE; CONNECTION) PRODUCT/VERSION (PLATFORM; OS/VERSION; MODEL)`; other products may stand before the
/// last group.
///
/// Source: the documentation of the vendor's networking libraries, and the published behaviour of its server.
struct DeviceDescription: Sendable, Equatable {
    let networkVersion: String
    let language: String
    let connection: String
    let product: String
    let version: String
    let platform: String
    let os: String
    let osVersion: String
    let model: String

    /// Nil for any other form, also for that of older SDKs, which lacks the first group.
    init?(userAgent: String) {
        var rest = userAgent[...]
        guard rest.take(word: "/") != nil, let networkVersion = rest.take(word: " ("),
            let language = rest.take(word: "; "), let connection = rest.take(word: ") "),
            let product = rest.take(word: "/"), let version = rest.takeVersion(),
            let platform = rest.take(upTo: "; "), let os = rest.take(upTo: "/"),
            let osVersion = rest.take(upTo: "; "), rest.count > 1, rest.last == ")"
        else { return nil }
        (self.networkVersion, self.language, self.connection) = (networkVersion, language, connection)
        (self.product, self.version, self.platform) = (product, version, platform)
        (self.os, self.osVersion, model) = (os, osVersion, String(rest.dropLast()))
    }

    /// Nine members.
    var json: JSONValue {
        [
            "networkVersion": .string(networkVersion), "language": .string(language),
            "connection": .string(connection), "product": .string(product), "version": .string(version),
            "platform": .string(platform), "os": .string(os), "osVersion": .string(osVersion),
            "model": .string(model),
        ]
    }
}

extension Substring {
    /// What stands before `end`, which is taken too; nil when it is empty or there is no end.
    fileprivate mutating func take(upTo end: String) -> String? {
        guard let range = firstRange(of: end), range.lowerBound > startIndex else { return nil }
        defer { self = self[range.upperBound...] }
        return String(self[..<range.lowerBound])
    }

    /// A word and whatever stands before the last opening bracket, which is taken too; right behind the word it is the next one.
    fileprivate mutating func takeVersion() -> String? {
        guard let blank = firstIndex(of: " "), blank > startIndex else { return nil }
        let version = String(self[..<blank])
        let others = self[index(after: blank)...]
        guard let bracket = others.first == "(" ? others.startIndex : others.lastIndex(of: "(") else {
            return nil
        }
        self = self[index(after: bracket)...]
        return version
    }

    /// The same for what has no blank in it.
    fileprivate mutating func take(word end: String) -> String? {
        guard let word = take(upTo: end), !word.contains(" ") else { return nil }
        return word
    }
}
