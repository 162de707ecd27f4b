import HTTP
import OpenID
import PlatformKit

/// Why a page with a QR code is not shown. To the browser an unknown transaction and a wrong key look the same.
struct QRPageRefusal: OAuthRefusal, Equatable {
    let explanation: String
    let isPage: Bool

    static func unknown(_ id: String, isPage: Bool) -> Self {
        Self(
            explanation:
                "There is no transaction “\(id.prefix(60))” in this world; it may be of another one, or ended more than a "
                + "day ago.", isPage: isPage)
    }

    static func withoutCode(_ transaction: MobileTransaction, isPage: Bool) -> Self {
        Self(
            explanation:
                "The transaction \(transaction.id) is of method \(transaction.method.rawValue); only those of method OTP "
                + "have a QR code.", isPage: isPage)
    }

    static func wrongKey(_ id: String, isPage: Bool) -> Self {
        Self(
            explanation:
                "The query's key is not the page key of transaction \(id). It is in the transaction's “page” in the "
                + "control API, and in qr_url of the answer to its start where mobile_authentication.qr_url is true.",
            isPage: isPage)
    }

    var wire: OAuthWire { OAuthWire(.notFound, "not_found", "There is no such QR code") }

    func response() throws -> Response { isPage ? QRPage.missing.response : wire.response }
}
