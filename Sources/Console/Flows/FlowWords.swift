import Essentials
import HTTP
import PlatformKit

/// Texts of a flow with what is another in each run replaced by what it is: `{transaction}`, `{id}`, `{time}`, `{n}`.
struct FlowWords: Sendable {
    private let kinds: [String: String]

    init(_ flow: Flow) {
        let things = flow.steps.flatMap { $0.own.union($0.lasting) }.filter { $0.kind != .user }
        kinds = Dictionary(things.map { ($0.id, "{\($0.kind.rawValue)}") }) { first, _ in first }
    }

    /// Characters of a label; a longer one ends in an ellipsis.
    private static let longest = 120
    /// Characters of a web socket's message.
    private static let longestMessage = 60
    /// Characters of a query's value; of a longer one nothing is told.
    private static let longestValue = 32

    /// A sentence without times.
    static func timeless(_ text: String) -> String {
        text.replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:.]+Z?/, with: "{time}").replacing("\n", with: " ")
    }

    /// A sentence: its numbers are told by the run, too.
    func plain(_ text: String) -> String {
        tokens(of: Self.timeless(text)) { token in
            replaced(token) ?? (Double(token) != nil ? "{n}" : nil)
        }.replacing(/\{n\}\.\{n\}/, with: "{n}")
    }

    /// Path and query of a request; the name of the world is not told.
    func target(_ target: String) -> String {
        let parts = Self.worldless(target).split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = tokens(of: (parts.first ?? "").percentDecoded) { token in
            replaced(token) ?? (token.utf8.count > 2 && token.allSatisfy(\.isNumber) ? "{n}" : nil)
        }
        let query = parts.count > 1 ? "?" + Form(String(parts[1])).pairs.map(pair).joined(separator: "&") : ""
        return (path + query).beginning(Self.longest)
    }

    private static func worldless(_ target: String) -> Substring {
        guard target.hasPrefix("/w/") else { return target[...] }
        return Substring(
            target.utf8.dropFirst(3).drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") })
    }

    private func pair(_ name: String, _ value: String) -> String {
        let plain = tokens(of: value) {
            replaced($0) ?? ($0.utf8.count > 2 && $0.allSatisfy(\.isNumber) ? "{n}" : nil)
        }
        return name + "=" + (plain.count > Self.longestValue || plain.contains("//") ? "…" : plain)
    }

    /// `mail “{n} is your passcode”`, or what a callback is for.
    func departure(_ departure: Departure) -> String {
        let name = departure.kind == .sms ? "text message" : departure.kind.rawValue
        return departure.title.isEmpty ? name : "\(name) “\(plain(departure.title))”"
    }

    /// `message “LOGIN {id}”`, of a web socket.
    func message(_ message: SocketMessage) -> String {
        let text = plain(String((message.body.text ?? "").prefix(4 * Self.longestMessage)))
        return "message “\(text.beginning(Self.longestMessage))”"
    }

    /// Nil for a word that says the same in every run.
    private func replaced(_ token: String) -> String? {
        if let kind = kinds[token] { return kind }
        guard token.utf8.count >= 8, token.contains(where: \.isNumber) else { return nil }
        let isHex = token.utf8.allSatisfy {
            0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 || 0x41...0x46 ~= $0 || $0 == 0x2D
        }
        return isHex || token.utf8.count >= 16 && token.contains(where: \.isLetter) ? "{id}" : nil
    }

    /// The text with each run of letters, digits, `-` and `_` as `change` has it.
    private func tokens(of text: String, _ change: (String) -> String?) -> String {
        var result = ""
        var token = ""
        func finish() {
            if !token.isEmpty { result += change(token) ?? token }
            token = ""
        }
        for character in text {
            let isWord = character.isLetter || character.isNumber || character == "-" || character == "_"
            if isWord {
                token.append(character)
            } else {
                finish()
                // A path can hold the end of a line.
                result.append(character.isNewline ? " " : character)
            }
        }
        finish()
        return result
    }
}
