import HTTP
import PlatformKit

extension ProvingHeader {
    /// - Throws: ``AuthenticationRefusal``.
    init(of request: Request) throws {
        guard let text = request.headers[Self.name] else {
            throw AuthenticationRefusal.headerMissing(Self.name)
        }
        do {
            try self.init(text)
        } catch let refusal as HeaderRefusal {
            throw AuthenticationRefusal.headerMalformed(refusal)
        }
    }
}
