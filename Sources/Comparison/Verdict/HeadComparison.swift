import Essentials
import HTTP

// The fields of an answer that clients look at.
extension ValueComparison {
    /// Fields whose value is a list of words, in any order and case.
    private static let lists: Set = [
        "cache-control", "pragma", "access-control-allow-methods", "access-control-allow-headers",
        "access-control-expose-headers", "allow",
    ]
    /// Fields that are compared whole.
    private static let plainFields = [
        "access-control-allow-origin", "access-control-allow-credentials", "access-control-max-age",
        "content-disposition",
        "dpop-nonce", "retry-after", "x-auth-token", "x-session-lifetime", "x-session-retention",
        "x-total-count",
    ]

    /// - Parameter origins: schemes and hosts that were asked, to which a `Location` without them belongs.
    mutating func compareHeads(
        _ recorded: Headers, _ ours: Headers, _ second: Headers, origins: (recorded: String, ours: String),
        hasBody: Bool
    ) {
        if hasBody { compareType(recorded["Content-Type"], ours["Content-Type"]) }
        for name in Self.lists.sorted() { compareList(name, recorded, ours) }
        for name in fields(recorded, ours) {
            // What is open to pages of the service itself is so there and here.
            if name == "access-control-allow-origin", recorded[name] == origins.recorded,
                ours[name] == origins.ours
            {
                continue
            }
            compareField(name, recorded[name], ours[name], second[name])
        }
        compareChallenges(
            recorded.values(of: "WWW-Authenticate"), ours.values(of: "WWW-Authenticate"))
        switch (recorded["Location"], ours["Location"]) {
        case (let there?, let here?):
            func whole(_ reference: String, _ origin: String) -> String {
                reference.hasPrefix("/") ? origin + reference : reference
            }
            compareAddresses(
                plain(whole(there, origins.recorded)), plainOurs(whole(here, origins.ours)),
                second["Location"].map { plainOurs(whole($0, origins.ours)) }, at: "header Location")
        case (let there, let here): comparePresence("Location", there, here)
        }
    }

    /// The named ones, limits of rates, and what either side exposes to web pages.
    private func fields(_ recorded: Headers, _ ours: Headers) -> [String] {
        let exposed =
            (recorded.values(of: "Access-Control-Expose-Headers")
            + ours.values(of: "Access-Control-Expose-Headers"))
            .flatMap { Self.words(of: $0) }
        let limits = (recorded.fields + ours.fields).map(\.name.asciiLowercased).filter {
            $0.hasPrefix("x-ratelimit") || $0.hasPrefix("x-rate-limit") || $0.hasPrefix("ratelimit")
        }
        let others: Set = [
            "content-type", "location", "www-authenticate", "set-cookie", "content-length", "*", "date",
            "x-request-id",
        ]
        return Set(Self.plainFields + exposed + limits).subtracting(Self.lists).subtracting(others).sorted()
    }

    private static func words(of list: String) -> [String] {
        list.split(separator: ",").map { $0.asciiLowercased.filter { $0 != " " } }.filter { !$0.isEmpty }
    }

    @discardableResult
    private mutating func comparePresence(_ name: String, _ recorded: String?, _ ours: String?) -> Bool {
        switch (recorded, ours) {
        case (let there?, nil):
            add(
                .header, "header \(name)", recorded: there,
                "header \(name) is missing: the recording has “\(Difference.short(there))”")
        case (nil, let here?):
            add(
                .header, "header \(name)", ours: here,
                "header \(name) is not in the recording: Understudy sends “\(Difference.short(here))”")
        case (nil, nil): break
        default: return true
        }
        return false
    }

    private mutating func addHeader(_ name: String, _ recorded: String, _ ours: String) {
        add(
            .header, "header \(name)", recorded: recorded, ours: ours,
            "header \(name) is “\(Difference.short(recorded))” in the recording, Understudy sends “\(Difference.short(ours))”"
        )
    }

    /// The media type with its parameters.
    private mutating func compareType(_ recorded: String?, _ ours: String?) {
        guard comparePresence("Content-Type", recorded, ours), let recorded, let ours else { return }
        func parts(_ text: String) -> Set<String> {
            Set(text.split(separator: ";").map { $0.asciiLowercased.filter { $0 != " " && $0 != "\"" } })
        }
        if parts(recorded) != parts(ours) { addHeader("Content-Type", recorded, ours) }
    }

    private mutating func compareList(_ name: String, _ recorded: Headers, _ ours: Headers) {
        let (there, here) = (
            recorded.values(of: name).joined(separator: ", "), ours.values(of: name).joined(separator: ", ")
        )
        let title = Self.title(name)
        guard comparePresence(title, there.isEmpty ? nil : there, here.isEmpty ? nil : here) else { return }
        if Set(Self.words(of: there)) != Set(Self.words(of: here)) { addHeader(title, there, here) }
    }

    private mutating func compareField(
        _ name: String, _ recorded: String?, _ ours: String?, _ second: String?
    ) {
        let title = Self.title(name)
        guard comparePresence(title, recorded, ours), let recorded, let ours else { return }
        if Double(recorded) != nil, Double(ours) != nil {
            let isCounted = name.hasSuffix("remaining") || name.hasSuffix("reset") || name == "retry-after"
            if !isCounted, recorded != ours, second == ours { addHeader(title, recorded, ours) }
        } else if name == "access-control-allow-origin" {
            if plain(recorded) != plainOurs(ours) { addHeader(title, recorded, ours) }
        } else if plain(recorded) != plainOurs(ours) {
            let before = differences.count
            compare(recorded, ours, second, at: "header \(title)", name: name)
            let isShort = Shape(plain(recorded)) == Shape(plainOurs(ours)) && !Shape(recorded).isOpaque
            if differences.count == before, second == ours, isShort { addHeader(title, recorded, ours) }
        }
    }

    /// `Cache-Control` of `cache-control`.
    private static func title(_ name: String) -> String {
        name.split(separator: "-").map { $0.prefix(1).asciiUppercased + $0.dropFirst() }.joined(
            separator: "-")
    }

    /// Scheme, names of parameters and the error of RFC 6750 §3.1; what is said to people may differ.
    private mutating func compareChallenges(_ recorded: [String], _ ours: [String]) {
        let (there, here) = (recorded.joined(separator: ", "), ours.joined(separator: ", "))
        guard comparePresence("WWW-Authenticate", there.isEmpty ? nil : there, here.isEmpty ? nil : here)
        else { return }
        if Self.challenge(there) != Self.challenge(here) { addHeader("WWW-Authenticate", there, here) }
    }

    /// Schemes and parameters, whatever their order. Source: RFC 9110 §11.6.1.
    private static func challenge(_ field: String) -> [String] {
        parts(of: field).flatMap { part -> [String] in
            guard let sign = part.firstIndex(of: "=") else {
                return words(of: part.replacing(" ", with: ","))
            }
            // A scheme stands before its first parameter.
            let names = part[..<sign].split(separator: " ").map { String($0).asciiLowercased }
            let value = part[sign...].dropFirst().filter { $0 != "\"" }
            guard let name = names.last, name != "error_description" else { return names.dropLast() }
            let isCompared = ["error", "scope", "algs", "charset"].contains(name)
            return names.dropLast() + [isCompared ? "\(name)=\(value)" : name]
        }.sorted()
    }

    /// What commas outside of quotation marks divide.
    private static func parts(of field: String) -> [String] {
        var (parts, isQuoted): ([String], Bool) = ([""], false)
        for character in field {
            if character == "\"" { isQuoted.toggle() }
            if character == ",", !isQuoted {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts
    }
}
