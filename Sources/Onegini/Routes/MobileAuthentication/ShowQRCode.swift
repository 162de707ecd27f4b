import Crypto
import Essentials
import HTTP
import OpenID
import PlatformKit
import QRCode
import SQLite

extension Onegini {
    /// `GET /sdk/v1/qr/{transaction_id}?key=`: the page with the QR code of an OTP transaction; with `.svg` or `.png` behind the id
    /// the symbol alone.
    ///
    /// - Request: the page key, from the control API or from `qr_url`.
    /// - Response: `200` HTML: state in words and as `data-state`, seconds left by the world's clock, the OTP object in `data-otp`
    ///   and in a text field, a link to the app where one is set up. Or `200 image/svg+xml`, or `200 image/png` of 500 pixels.
    /// - Errors: 404, the same page for an unknown transaction and a wrong key.
    /// - Source: ours.
    func showQRCode(_ request: Request) throws -> Response {
        let name = request.parameter("id")
        let format = [".svg", ".png"].first(where: name.hasSuffix)
        let transactions = try mobileTransactions()
        let transaction = try shownTransaction(
            String(name.dropLast(format?.count ?? 0)), request, transactions, isPage: true)
        let otp = transaction.otpText ?? ""
        let symbol = try QRCode(text: otp)
        if format == ".png" { return .picture("image/png", symbol.png(side: 500)) }
        let svg = symbol.svg()
        if format == ".svg" { return .picture("image/svg+xml", Array(svg.utf8)) }
        let now = services.clock.now()
        let page = QRPage(
            otp: otp, svg: HTML(stringLiteral: svg), state: transaction.state(at: now),
            secondsLeft: transaction.secondsLeft(at: now), deepLink: transactions.settings.deepLink(to: otp),
            phone: PhoneLink.html(otp, request, services))
        return page.page.response
    }

    /// `GET /sdk/v1/qr/{transaction_id}/status?key=`: how the transaction stands, never whose it is.
    ///
    /// - Request: the page key.
    /// - Response: `200 {"state": "INITIALIZED", "FETCHED", "AUTHENTICATED", "DENIED", "FAILED" or "EXPIRED", "expires_in": seconds}`.
    /// - Errors: 404 `not_found`.
    /// - Source: ours.
    func showQRStatus(_ request: Request) throws -> Response {
        let transactions = try mobileTransactions()
        let transaction = try shownTransaction(request.parameter("id"), request, transactions, isPage: false)
        let now = services.clock.now()
        return .oauth([
            "state": .string(transaction.state(at: now).rawValue),
            "expires_in": .integer(transaction.secondsLeft(at: now)),
        ])
    }

    private func shownTransaction(
        _ id: String, _ request: Request, _ transactions: MobileTransactions, isPage: Bool
    ) throws -> MobileTransaction {
        let now = services.clock.now()
        let found = try database.read { try $0.mobileTransaction(id, at: now) }
        guard let found else { throw QRPageRefusal.unknown(id, isPage: isPage) }
        let key = request.queryItems["key"] ?? ""
        guard constantTimeEqual(Array(key.utf8), Array(found.pageKey.utf8)) else {
            throw QRPageRefusal.wrongKey(found.id, isPage: isPage)
        }
        guard found.otp != nil else { throw QRPageRefusal.withoutCode(found, isPage: isPage) }
        try transactions.noticeExpiry(of: found)
        return found
    }
}

extension Response {
    fileprivate static func picture(_ type: String, _ body: [UInt8]) -> Response {
        Response(
            headers: [
                "Content-Type": type, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
            ], body: body)
    }
}

extension MobileAuthenticationSettings {
    /// Opens the app with the OTP object; nil where no link is set up. The parameter `otp` is *assumed*.
    func deepLink(to otp: String) -> String? {
        guard let deepLink else { return nil }
        return deepLink + (deepLink.contains("?") ? "&" : "?") + "otp=" + otp.percentEncoded
    }
}
