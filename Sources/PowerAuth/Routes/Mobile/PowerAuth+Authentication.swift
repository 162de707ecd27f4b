import Essentials
import HTTP
import PlatformKit

extension PowerAuth {
    /// Does `body` for who signed the request; see ``Authentication``.
    func authenticate<Value>(
        _ request: Request, uriID: String, types: Set<SignatureType> = .anyWithTwoFactors,
        covering bytes: [UInt8]? = nil, knowing known: Activation? = nil, in turn: Turn,
        _ body: (Authenticated) throws -> Value
    ) throws -> Value {
        try authentication.authenticate(
            request, uriID: uriID, types: types, covering: bytes, knowing: known, generation: 3, in: turn,
            else: { try unauthenticated($0, in: turn) }, body)
    }

    /// A device that is not authenticated, in the words of the mobile protocol.
    func unauthenticated(_ refusal: AuthenticationRefusal, in turn: Turn) throws -> MobileRefusal {
        MobileRefusal(
            .signatureInvalid(try world.settings(in: turn.db).messageGeneration), because: refusal)
    }

    /// The authorization header, which is all there is to check before the body of a request is opened that is signed first.
    func authorizationHeader(of request: Request, in turn: Turn) throws -> AuthorizationHeader {
        do {
            return try AuthorizationHeader(of: request)
        } catch let refusal as AuthenticationRefusal {
            throw try unauthenticated(refusal, in: turn)
        }
    }
}
