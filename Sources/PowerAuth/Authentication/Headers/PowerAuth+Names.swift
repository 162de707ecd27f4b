import Essentials
package import HTTP
package import PlatformKit
import SQLite

extension PowerAuth: NamesCallers {
    /// Also the activation that the request's PowerAuth header or token is of, its user and its application.
    package func callers(in request: Request) throws -> RequestNames {
        var names = RequestNames(request)
        let ids = try activationIDs(request)
        guard !ids.isEmpty else { return names }
        for id in ids {
            names.clients.insert(id)
            guard let activation = try database.read({ try $0.first(Activation.self, where: "id = \(id)") })
            else { continue }
            names.users.insert(activation.user)
            names.clients.insert(activation.application)
        }
        return names
    }

    /// - Returns: of headers and bodies, whatever they are worth.
    private func activationIDs(_ request: Request) throws -> [String] {
        var ids: [String] = []
        for name in [AuthorizationHeader.name, EncryptionHeader.name] {
            // A header that is malformed names nobody.
            guard let text = request.headers[name], let parameters = try? HeaderParameters(text, of: name)
            else { continue }
            ids += [parameters.optional("pa_activation_id") ?? parameters.optional("activation_id")]
                .compactMap(\.self)
        }
        if let text = request.headers[TokenHeader.name],
            let parameters = try? HeaderParameters(text, of: TokenHeader.name),
            let id = parameters.optional("token_id"),
            let kept = try database.read({ try $0.first(Token.self, where: "id = \(id)") })
        {
            ids.append(kept.activation)
        }
        // What is no JSON names nobody.
        let body = try? JSONValue(parsing: request.body)
        return ids
            + [body?["activationId"], body?["requestObject"]?["activationId"]].compactMap { $0?.string }
    }
}
