import Essentials
import HTTP
import OpenID
import PlatformKit

/// A question to a back end of the integrator's, on which it depends whether a request goes on.
///
/// The request waits for the answer: five seconds and a mebibyte at most, redirects are not followed. Never inside a transaction.
struct Consultation: Sendable {
    /// In the journal: “NAME answered”, “NAME failed”.
    let name: String
    /// Such as `the web hook "prices"`, for a sentence.
    let title: String
    let url: String
    /// Value of `Authorization`.
    var authorization: String?
    let question: JSONValue

    /// Asks, and tells the journal how it went.
    ///
    /// - Parameters:
    ///   - subject: whom it is about.
    ///   - read: makes sense of the answer, or returns what is wrong with it, for the middle of a sentence.
    /// - Throws: ``IssueRefusal/unavailable(explanation:)`` when there was no answer, none of 200 to 299, or one that makes no sense.
    func answer<Answer>(
        about subject: String?, _ services: Services,
        _ read: (JSONValue) throws(ConsultationFault) -> Answer
    ) throws -> Answer {
        do throws(ConsultationFault) {
            let response = try send(services.web)
            let json = try Self.json(response)
            let answer = try read(json)
            services.journal.event(
                name + " answered", about: subject,
                "\(capitalizedTitle) was asked by POST \(url) \(question.text.beginning(Self.told)) and answered \(response.status.code) "
                    + "\(json.text.beginning(Self.told)).")
            return answer
        } catch {
            let explanation =
                "\(capitalizedTitle) was asked by POST \(url) \(question.text.beginning(Self.told)), but \(error.reason). "
                + "Nothing was issued and nothing spent, so that the request may be sent again."
            services.journal.event(name + " failed", about: subject, explanation)
            throw IssueRefusal.unavailable(explanation: explanation)
        }
    }

    private func send(_ web: WebCalls) throws(ConsultationFault) -> Response {
        var headers: Headers = [
            "Content-Type": "application/json;charset=UTF-8", "Accept": "application/json",
        ]
        headers["Authorization"] = authorization
        let response: Response
        do {
            response = try web.send(.post, url, headers, question.bytes)
        } catch {
            throw ConsultationFault("there was no answer: \(error)")
        }
        switch response.status.code {
        case 200..<300: return response
        case 401, 403:
            throw ConsultationFault(
                "it answered \(response.status.code): expected that it takes the credentials which are configured, "
                    + (authorization == nil ? "none" : "an Authorization field"))
        case let code: throw ConsultationFault("it answered \(code), expected 200")
        }
    }

    private static func json(_ response: Response) throws(ConsultationFault) -> JSONValue {
        do {
            return try JSONValue(parsing: response.bytes)
        } catch {
            let reason = (error as? DecodingError)?.sentence ?? "\(error)"
            throw ConsultationFault("its answer is not the expected JSON: \(reason)")
        }
    }

    /// Characters of a question and of its answer in a sentence.
    private static let told = 2000

    private var capitalizedTitle: String { title.prefix(1).uppercased() + title.dropFirst() }
}

/// Why the answer to a question is of no use.
struct ConsultationFault: Error {
    /// For the middle of a sentence.
    let reason: String
    init(_ reason: String) { self.reason = reason }
}
