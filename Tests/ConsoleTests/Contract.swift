import Essentials
import HTTP
import Testing

@testable import Console

/// What `Web/openapi.json` says may be answered.
struct Contract: Sendable {
    struct Operation: Sendable {
        let method: String
        /// Such as `/outbox/{id}`.
        let path: String
        /// Content types by status; none for an answer without a body.
        let answers: [String: Set<String>]
    }

    let operations: [Operation]

    init() throws {
        let bytes = try #require(ConsoleBench.file("openapi.json"))
        let document = try JSONDecoder().decode(Document.self, from: Data(bytes))
        operations = document.paths.flatMap { path, item in
            item.operations.map { method, operation in
                let answers = operation.responses.mapValues { answer in
                    let name = answer.ref?.split(separator: "/").last.map(String.init) ?? ""
                    return Set((document.components.responses[name] ?? answer).content?.keys.map { $0 } ?? [])
                }
                return Operation(method: method.uppercased(), path: path, answers: answers)
            }
        }
    }

    /// Records an issue when the answer of a call is not described.
    func check(_ response: Response, _ method: Request.Method, _ target: String) {
        guard let root = target.firstRange(of: Console.root) else { return }
        let path = String(target[root.upperBound...])
        let method = method == .head ? "GET" : method.rawValue
        guard let operation = operations.first(where: { $0.method == method && fits(path, $0.path) }) else {
            return
        }
        let said = "\(method) \(operation.path) answered \(response.status.code)"
        guard let types = operation.answers[String(response.status.code)] else {
            Issue.record("\(said), which is not described")
            return
        }
        let type = response.headers["Content-Type"].map { String($0.prefix { $0 != ";" }) }
        #expect(
            type.map(types.contains) ?? types.isEmpty,
            "\(said) as \(type ?? "nothing"), not as one of \(types)")
    }

    /// A literal path has come first where one fits.
    private func fits(_ path: String, _ pattern: String) -> Bool {
        let (path, pattern) = (path.split(separator: "/"), pattern.split(separator: "/"))
        guard path.count == pattern.count else { return false }
        if path != pattern, operations.contains(where: { $0.path.split(separator: "/") == path }) {
            return false
        }
        return zip(path, pattern).allSatisfy { $0 == $1 || $1.hasPrefix("{") }
    }
}

private struct Document: Decodable {
    struct Answer: Decodable {
        struct Media: Decodable {}

        let ref: String?
        let content: [String: Media]?

        enum CodingKeys: String, CodingKey {
            case ref = "$ref"
            case content
        }
    }

    struct Operation: Decodable {
        let responses: [String: Answer]
    }

    struct Item: Decodable {
        let get: Operation?
        let put: Operation?
        let post: Operation?
        let delete: Operation?
        let patch: Operation?

        var operations: [(String, Operation)] {
            [
                ("get", get), ("put", put), ("post", post), ("delete", delete), ("patch", patch),
            ].compactMap { name, operation in
                operation.map { (name, $0) }
            }
        }
    }

    struct Components: Decodable {
        let responses: [String: Answer]
    }

    let paths: [String: Item]
    let components: Components
}
