package import Essentials
import HTTP

/// An answer in the place of the platform's.
package struct AnswerEffect: StrikesRequests {
    package static let key = "answer"
    package static let title = "an answer"
    package static let form = "503"
    package static let does = "answers with this status, in the platform's own form"

    /// 200 to 599.
    package var status: Int
    package var headers: [String: String]?
    /// A text as it stands, or any JSON. Without one and without ``headers``, the platform's own error.
    package var body: JSONValue?

    package init?(_ text: String) {
        guard let status = Int(text) else { return nil }
        self.status = status
    }

    package var words: String { "answers \(status)" + (body == nil ? "" : " with a body") }
    package var detail: String? { String(status) }
    package var phase: FaultPhase { .request(self) }

    package func check(at path: [String]) throws {
        try FaultBounds.require(200...599, status, path + ["status"])
        for (name, value) in headers ?? [:] {
            try FaultBounds.check(field: name, value, path + ["headers", name])
        }
        if let body { try FaultBounds.check(body: body, path + ["body"]) }
    }

    package func strike(_ request: inout StruckRequest) {
        request.verdict = .answer { error in
            let status = Status(code: self.status)
            guard body != nil || headers != nil else { return try error(status) }
            var response = Response(
                status: status, body: body.map { $0.string.map { Array($0.utf8) } ?? $0.bytes } ?? [])
            if let body {
                response.headers["Content-Type"] =
                    body.string == nil ? "application/json" : "text/plain; charset=utf-8"
            }
            for (name, value) in (headers ?? [:]).sorted(by: { $0.key < $1.key }) {
                response.headers[name] = value
            }
            return response
        }
    }

    package func sentence(_ fault: String, _: StruckRequest) -> String {
        "The \(fault) answered with \(status) instead of the platform."
    }
}
