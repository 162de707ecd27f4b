import HTTP
import PlatformKit

extension SampleApp {
    /// `GET /passkeys`: a page on which a user registers and logs in with a passkey, to copy.
    ///
    /// - Request: nothing beside the path.
    /// - Response: `200` with a page; `302` to the same page on the host of all platforms, where it reaches Hanko without leaving its
    ///   origin.
    /// - Errors: none.
    /// - Source: ours.
    func showPasskeys(_ request: Request) throws -> Response {
        guard let root = PasskeysPage.root(request) else {
            return Response(
                status: .found, headers: ["Location": request.worldURL + "/\(Self.name)/passkeys"])
        }
        return PasskeysPage.response(root: root, prefix: request.prefix)
    }
}
