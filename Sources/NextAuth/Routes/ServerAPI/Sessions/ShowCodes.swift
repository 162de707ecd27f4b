import Essentials
import HTTP
import PlatformKit
import QRCode

extension NextAuth {
    /// `GET /servers/{serverid}/sessions/qr/login`, also POST: the login code of a session.
    ///
    /// - Request: `X-nonce`; `img=png` for an image, `s` for its edge in pixels; a UserContext, if any.
    /// - Response: `200`: the code's bytes (`application/octet-stream`), or a PNG. It never changes for the same nonce.
    /// - Errors: 400; 401; 403 without `sessions`; 404 for the server.
    /// - Source: API description 2.2, `getQrLogin`; POST and the content of the code are ours.
    func showLoginCode(_ request: Request) throws -> Response {
        let image = try CodeImage(request)
        let data = try change { turn in
            let server = try request.requireServer(.sessions, in: turn.db)
            return try loginCode(of: server, request, in: turn).data
        }
        return try image.response(for: data)
    }

    /// `GET /servers/{serverid}/sessions/qr/enrol`: a code for one enrolment, after which the session is logged in.
    ///
    /// - Request: `X-nonce`; `name`: what the app shows for the account; `userid`: whose it will be; `img`, `s` as for a login code.
    /// - Response: `200`: the code's bytes (`application/octet-stream`), or a PNG.
    /// - Errors: 400; 401; 403 without `sessions`, and for a user id that is not allowed; 404 for the server.
    /// - Source: API description 2.2, `getQrEnrol`.
    func showEnrolmentCode(_ request: Request) throws -> Response {
        let image = try CodeImage(request)
        let data = try change { turn in
            let server = try request.requireServer(.sessions, in: turn.db)
            let (nonce, name) = (try request.requireNonce(), try request.requireQuery("name"))
            return try enrolmentCode(of: server, nonce, name, request, in: turn)
        }
        return try image.response(for: data)
    }

    /// The login code, on a session that is opened for it.
    func loginCode(
        of server: Server, _ request: Request, in turn: Turn
    ) throws -> (session: WebSession, data: CodeData) {
        let session = try logins.openWebSession(
            request.requireNonce(), of: server, request.userContext(), in: turn)
        try logins.noteCode(of: session, in: turn)
        return (
            session, CodeData(kind: .login, base: request.baseURL, server: server.id, hsid: session.hsid)
        )
    }

    /// A new enrolment code with the query's `userid`.
    func enrolmentCode(
        of server: Server, _ nonce: String, _ name: String, _ request: Request, in turn: Turn
    ) throws -> CodeData {
        guard 1...255 ~= name.count else {
            throw BackEndRefusal.inputInvalid(
                "The “name” is what the app shows for the account: 1 to 255 characters, not \(name.count).")
        }
        let code = try accounts.makeEnrolmentCode(
            name, user: request.queryItems["userid"], nonce, of: server, in: turn)
        return CodeData(
            kind: .enrol, base: request.baseURL, server: server.id, hsid: code.hsid, ticket: code.ticket)
    }
}

/// How a code is wanted: `img` and `s` of the query. Source: API description 2.2.
struct CodeImage: Sendable {
    /// Edge in pixels; nil for the raw data.
    private let side: Int?

    init(_ request: Request) throws(BackEndRefusal) {
        let query = request.queryItems
        // Looked at in any case, so that a slip is found before the image is wanted.
        let text = query["s"] ?? "500"
        guard let side = Int(text), 1...4096 ~= side else {
            throw .inputInvalid("The edge “s” is “\(text.prefix(40))”, expected 1 to 4096 pixels.")
        }
        switch query["img"] ?? "" {
        case "": self.side = nil
        case "png": self.side = side
        case let other:
            throw .inputInvalid(
                "The image “\(other.prefix(40))” is unknown: “img” is png, or left out for the raw data.")
        }
    }

    /// An image is never smaller than a pixel for each module of the code.
    func response(for data: CodeData) throws -> Response {
        guard let side else {
            return Response(
                headers: ["Content-Type": "application/octet-stream"], body: Array(data.text.utf8))
        }
        return .png(try QRCode(text: data.text).png(side: side))
    }
}
