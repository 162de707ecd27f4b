package import Essentials
package import HTTP

/// Parts of the platform's own answer, changed: what another version or tenant of a service says otherwise.
package struct PatchEffect: SpoilsAnswers {
    package static let key = "patch"
    package static let title = "a changed answer"
    package static let form = #"{"member": "value"}"#
    package static let does = "changes members of the answer's JSON; null takes one away"

    /// Only answers with this status are changed; without one, all.
    package var ofStatus: Int?
    /// 200 to 599.
    package var status: Int?
    /// A field whose value is nil is taken away.
    package var headers: [String: String?]?
    /// A merge patch of the body, which is left alone unless it is a JSON object. Source: RFC 7396.
    package var body: JSONValue?

    package enum CodingKeys: String, CodingKey {
        case ofStatus = "of_status"
        case status, headers, body
    }

    package init?(_ text: String) {
        guard let body = try? JSONValue(parsing: Array(text.utf8)), body.object != nil else { return nil }
        self.body = body
    }

    package init(ofStatus: Int?, status: Int?, headers: [String: String?]?, body: JSONValue?) {
        (self.ofStatus, self.status, self.headers, self.body) = (ofStatus, status, headers, body)
    }

    package var words: String {
        let parts = [
            status.map { "the status to \($0)" },
            headers.map { "the fields \($0.keys.sorted().joined(separator: ", "))" },
            body?.object.map { "the members \($0.keys.sorted().joined(separator: ", "))" },
        ].compactMap(\.self)
        return "changes " + parts.joined(separator: ", ") + (ofStatus.map { " of answers with \($0)" } ?? "")
    }
    package var phase: FaultPhase { .answer(self) }

    package func check(at path: [String]) throws {
        try FaultBounds.require(100...599, ofStatus, path + ["of_status"])
        try FaultBounds.require(200...599, status, path + ["status"])
        for (name, value) in headers ?? [:] {
            try FaultBounds.check(field: name, value ?? "", path + ["headers", name])
        }
        guard status != nil || headers?.isEmpty == false || body != nil else {
            throw FixtureProblem(at: path, "expected a status, headers or a body that changes")
        }
        guard let body else { return }
        guard body.object != nil else {
            throw FixtureProblem(
                at: path + ["body"], "expected a JSON object, whose members are put into the answer's")
        }
        try FaultBounds.check(body: body, path + ["body"])
    }

    package func spoils(_ response: Response) -> Bool {
        // What streams has no end that could be waited for.
        guard case .bytes = response.body, ofStatus ?? response.status.code == response.status.code else {
            return false
        }
        return status != nil || headers != nil || response.patched(with: body) != nil
    }

    package func spoil(_ response: inout Response) {
        if let body = response.patched(with: body) { response.body = .bytes(body) }
        if let status { response.status = Status(code: status) }
        for (name, value) in headers ?? [:] { response.headers[name] = value }
    }

    package func sentence(_ fault: String, spoiling _: Response) -> String {
        "The \(fault) \(words), on its way to the client."
    }
}

extension Response {
    /// The body with a merge patch applied; nil without one, and for a body that is no JSON object.
    fileprivate func patched(with patch: JSONValue?) -> [UInt8]? {
        guard let patch, let old = try? JSONValue(parsing: bytes), old.object != nil else { return nil }
        return old.merged(with: patch).bytes
    }
}

extension JSONValue {
    /// Source: RFC 7396 §2.
    fileprivate func merged(with patch: JSONValue) -> JSONValue {
        guard let changes = patch.object else { return patch }
        var members = object ?? [:]
        for (name, change) in changes {
            members[name] = change.isNull ? nil : (members[name] ?? .null).merged(with: change)
        }
        return .object(members)
    }
}
