import Essentials
package import HTTP
import OpenID
import PlatformKit

/// Every refusal of the sample app.
enum SampleAppError: Refusal, Equatable {
    /// A form was sent by a page that is not ours.
    case crossSite(String)
    /// No login of this browser has that id.
    case loginUnknown(String, isOfAnotherBrowser: Bool)

    // What the token server's call brings.
    case callbackMalformed(String)
    case callbackUnauthorized(got: String?, expected: String)
    case transactionUnknown(String)
    case resultPending(String)
    case resultOfAnother(String, asked: String)

    // What the token server answers.
    case tokenServerSilent(String)
    case tokenServerRefused(String, status: Int, String)
    case transactionEmpty
    /// Why its OTP makes no QR code.
    case codeUnshowable(String)

    var status: Status {
        switch self {
        case .crossSite: .forbidden
        case .loginUnknown: .notFound
        case .callbackMalformed: .badRequest
        case .callbackUnauthorized: .unauthorized
        case .transactionUnknown: .notFound
        case .resultPending: .conflict
        case .resultOfAnother, .tokenServerSilent, .tokenServerRefused, .transactionEmpty,
            .codeUnshowable:
            .badGateway
        }
    }

    /// What the visitor of the portal reads; the reasons are for the journal.
    var message: String {
        switch self {
        case .crossSite: "This form was not sent by the portal."
        case .loginUnknown: "There is no such login in this browser."
        case .callbackMalformed: "The body is not what a token server sends."
        case .callbackUnauthorized: "Not the token server."
        case .transactionUnknown: "No login is waiting for this transaction."
        case .resultPending: "The transaction has no result yet."
        case .resultOfAnother, .tokenServerSilent, .tokenServerRefused, .transactionEmpty,
            .codeUnshowable:
            "The token server could not be used. Try again in a moment."
        }
    }

    var explanation: String {
        switch self {
        case .crossSite(let origin):
            "The form came from the page of another site, \(origin). The portal accepts only forms of its own pages."
        case .loginUnknown(let id, let isOfAnotherBrowser):
            isOfAnotherBrowser
                ? "The login “\(id)” began in another browser: the cookie portal_login does not fit. Only the browser in which "
                    + "a login began can take it up."
                : "There is no login “\(id)”; fixtures were loaded or the world was reset since it began."
        case .callbackMalformed(let reason): reason
        case .callbackUnauthorized(let got, let expected):
            "The callback came with \(got.map { "the credentials of “\($0)”" } ?? "no credentials"), expected those of "
                + "“\(expected)”: the callback configuration of the token server and callback_username and callback_password "
                + "of the portal must be the same."
        case .transactionUnknown(let id):
            "The callback is about the transaction “\(id)”, which this portal did not start."
        case .resultPending(let id):
            "The callback says that the transaction “\(id)” is finished, but its result says neither who was authenticated nor "
                + "why nobody was. The portal changes nothing."
        case .resultOfAnother(let got, let asked):
            "The token server was asked for the transaction “\(asked)” and answered with “\(got)”."
        case .tokenServerSilent(let reason):
            "The token server did not answer: \(reason). Check token_server in the fixtures, and that this machine can reach it."
        case .tokenServerRefused(let purpose, let status, let body):
            "The token server refused the \(purpose) with \(status): \(body)."
        case .transactionEmpty:
            "The token server began a transaction without an OTP; the type of the portal must have the method OTP."
        case .codeUnshowable(let reason):
            "The OTP that the token server gave for this login cannot be shown as a QR code. \(reason)"
        }
    }
}

extension SampleApp {
    package static func response(for error: any Error) throws -> Response {
        if let response = try AuthorizationServer.response(for: error) { return response }
        switch error {
        case let error as SampleAppError:
            var response = PortalPage.notice(error.message, status: error.status)
            if error.status == .unauthorized {
                response.headers["WWW-Authenticate"] = "Basic realm=\"portal callback\""
            }
            return response
        case let error as MobileLoginError: return error.response
        case let error as MIRACLLoginError: return error.response
        case let unknown as RouteUnknown:
            var response = PortalPage.notice("There is nothing here.", status: unknown.status)
            response.headers["Allow"] = unknown.allow
            return response
        case let malformed as RequestMalformed:
            return PortalPage.notice(malformed.reason, status: .badRequest)
        default: return PortalPage.notice("Something broke.", status: .internalServerError)
        }
    }
}
