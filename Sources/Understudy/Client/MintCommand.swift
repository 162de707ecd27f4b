import Essentials
import HTTP
import HTTPClient

/// `mint PLATFORM [KIND]`: a token, and nothing else on standard output.
enum MintCommand {
    private struct Answer: Decodable {
        let token: String
        let explanation: String?
    }

    static func run(_ invocation: Invocation, _ terminal: Terminal) throws -> Int32 {
        let order = try order(invocation)
        let api = try ControlAPI(invocation, terminal)
        let response = try api.call(.post, "/tokens", json: order.bytes)
        if invocation.flag(.json) {
            terminal.print(response.text)
            return 0
        }
        let answer = try api.read(Answer.self, response)
        if let explanation = answer.explanation { terminal.complain("understudy: " + explanation) }
        terminal.print(answer.token)
        return 0
    }

    private static func order(_ invocation: Invocation) throws -> JSONValue {
        var members: [String: JSONValue] = [:]
        let texts: [(String, String?)] = [
            ("platform", invocation.operands.first), ("kind", invocation.operands.dropFirst().first),
            ("user", invocation.text(.mintUser)), ("client", invocation.text(.mintClient)),
            ("scope", invocation.text(.mintScope)), ("flaw", invocation.text(.flaw)),
            ("key", invocation.text(.key)),
        ]
        for (name, text) in texts { members[name] = text.map(JSONValue.string) }
        let claims = try claims(invocation)
        if !claims.isEmpty { members["claims"] = .object(claims) }
        if let seconds = try invocation.seconds(.lifetime) {
            guard seconds >= 1, let whole = Int(exactly: seconds.rounded(.down)) else {
                throw invocation.refusal(of: .lifetime, "a time of at least a second, such as 10m")
            }
            members["lifetime"] = .integer(whole)
        }
        return .object(members)
    }

    private static func claims(_ invocation: Invocation) throws -> [String: JSONValue] {
        var claims: [String: JSONValue] = [:]
        for text in invocation.texts(.claim) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw UsageError("--claim expects NAME=VALUE, such as role=admin, not “\(text)”")
            }
            // What is no JSON is a text.
            claims[parts[0]] = (try? JSONValue(parsing: Array(parts[1].utf8))) ?? .string(parts[1])
        }
        return claims
    }
}
