import HTTP
import Phone
import PlatformKit
import SQLite

/// An error of the control API. Source: RFC 9457.
struct ControlProblem: Encodable {
    /// A fault in a fixture file.
    struct Fault: Encodable {
        /// Counted from 1, in the body of the request.
        let line: Int
        let column: Int
        /// Path of the member; empty for a fault of the syntax.
        let field: String
        let message: String
    }

    let type = "about:blank"
    let title: String
    let status: Int
    let detail: String
    var errors: [Fault]?

    init(_ status: Status, _ detail: String, title: String? = nil, errors: [Fault]? = nil) {
        self.title = title ?? status.reason
        self.status = status.code
        self.detail = detail
        self.errors = errors
    }

    enum CodingKeys: String, CodingKey { case type, title, status, detail, errors }
}

extension Console {
    /// The only place where an error becomes bytes.
    ///
    /// - Throws: an error that nobody mapped.
    static func response(for error: any Error) throws -> Response {
        switch error {
        case let error as ControlError: try response(for: error)
        case let error as WorldError: try problem(ControlProblem(status(of: error), error.explanation))
        case let error as TransactionRefusal:
            try problem(ControlProblem(status(of: error), error.explanation))
        case let error as RecordRefusal:
            try problem(ControlProblem(status(of: error), error.explanation))
        case let error as PhoneRefusal:
            try problem(ControlProblem(status(of: error), error.explanation, title: error.sdkError))
        case let error as WorkMemory.Shortage: try response(for: ControlError.short(error))
        case let error as ClockOutOfRange: try problem(ControlProblem(.badRequest, error.explanation))
        case let error as FixtureError:
            try problem(ControlProblem(error, "The fixtures cannot be loaded, and nothing was changed"))
        case let error as FaultUnprocessable:
            try problem(ControlProblem(error.error, "The fault is not valid, and nothing was changed"))
        case let error as FaultRefusal:
            try problem(ControlProblem(status(of: error), error.explanation))
        default: throw error
        }
    }

    private static func response(for error: ControlError) throws -> Response {
        var response = try problem(ControlProblem(error.status, error.detail, title: error.title))
        switch error {
        // RFC 6750 §3.
        case .tokenMissing: response.headers["WWW-Authenticate"] = "Bearer realm=\"understudy\""
        case .tokenWrong:
            response.headers["WWW-Authenticate"] = "Bearer realm=\"understudy\", error=\"invalid_token\""
        // RFC 9110 §10.2.3.
        case .short(.now): response.headers["Retry-After"] = "1"
        // RFC 9110 §15.5.6.
        case .callUnknown(let unknown) where !unknown.allowed.isEmpty:
            response.headers["Allow"] = unknown.allowedMethods.joined(separator: ", ")
        default: break
        }
        return response
    }

    private static func problem(_ problem: ControlProblem) throws -> Response {
        var response = try Response.json(problem, status: Status(code: problem.status))
        response.headers["Content-Type"] = "application/problem+json"
        response.explanation = problem.detail
        return response
    }

    private static func status(of refusal: TransactionRefusal) -> Status {
        switch refusal {
        case .unknown: .notFound
        case .actionUnknown: .badRequest
        case .tooLate, .impossible: .conflict
        }
    }

    static func status(of refusal: RecordRefusal) -> Status {
        switch refusal {
        case .unknown: .notFound
        case .kindUnknown, .actionUnknown, .inputMissing, .inputWrong: .badRequest
        case .impossible: .conflict
        }
    }

    static func status(of refusal: FaultRefusal) -> Status {
        switch refusal {
        case .unknown: .notFound
        case .nameTaken, .tooMany: .conflict
        }
    }

    static func status(of error: WorldError) -> Status {
        switch error {
        case .nameMalformed, .snapshotNameMalformed: .badRequest
        case .unknown, .snapshotUnknown: .notFound
        case .nameTaken, .indispensable, .tooMany, .snapshotNameTaken, .tooManySnapshots: .conflict
        case .snapshotUnreadable: .unprocessableContent
        case .storage(_, .full, _): .insufficientStorage
        case .unreadable, .storage: .serviceUnavailable
        }
    }
}

extension ControlProblem {
    /// - Parameter what: could not be done.
    init(_ error: FixtureError, _ what: String) {
        self.init(
            .unprocessableContent, "\(what): \(error).",
            errors: [Fault(line: error.line, column: error.column, field: error.field, message: error.reason)]
        )
    }
}
