import Crypto
import Essentials
import HTTP
import OpenID
import PlatformKit

/// What a client asks for when it completes a registration.
struct CustomOrder: Sendable {
    let transactionID: String?
    let data: JSONValue?
    let scope: ScopeList
    let grantType: String
    /// `hook_context_custom_params`
    let hookParameters: [String: [String]]
    /// Of a token request.
    let parameters: Form

    init(_ members: Members, client: Client) throws {
        transactionID = try members.optionalText("transaction_id")
        data = members.values["data"].flatMap { $0.isNull ? nil : $0 }
        scope = try client.grantable(Self.scope(in: members))
        grantType = try Self.grantType(in: members)
        hookParameters = try Self.hookParameters(in: members)
        let profile = try members.optionalText("profile_id")
        parameters = Form(profile.map { "profile_id=\($0.formEscaped)" } ?? "")
    }

    /// A list of names; a text of names with spaces between is taken as well.
    private static func scope(in members: Members) throws -> String? {
        guard let value = members.values["scope"], !value.isNull else { return nil }
        guard let text = value.string ?? value.strings?.joined(separator: " ") else {
            throw CustomRegistrationRefusal.requestInvalid("The member “scope” must be a list of strings.")
        }
        return text.isEmpty ? nil : text
    }

    /// An object of lists of strings; a string alone is taken as well. *Assumed*: the documentation names the member alone.
    private static func hookParameters(in members: Members) throws -> [String: [String]] {
        guard let value = members.values["hook_context_custom_params"], !value.isNull else { return [:] }
        let lists = value.object?.compactMapValues { $0.strings ?? $0.string.map { [$0] } }
        guard let lists, lists.count == value.object?.count else {
            throw CustomRegistrationRefusal.requestInvalid(
                "The member “hook_context_custom_params” must be an object whose members are lists of strings."
            )
        }
        return lists
    }

    private static func grantType(in members: Members) throws -> String {
        guard let type = try members.optionalText("grant_type") else { return "custom_registration" }
        guard type == StatelessGrant.type else {
            throw CustomRegistrationRefusal.requestInvalid(
                "The member “grant_type” may be “\(StatelessGrant.type)” or missing, found “\(type.prefix(80))”."
            )
        }
        return type
    }
}

extension Members {
    convenience init(ofCustomRegistration request: Request) throws {
        try self.init(request, isOptional: true) { CustomRegistrationRefusal.requestInvalid($0) }
    }
}

// MARK: - Who registers

extension Client {
    /// The scopes that a request names, or else the client's default ones.
    ///
    /// - Throws: 400 `invalid_scope`.
    func grantable(_ asked: String?) throws -> ScopeList {
        guard let asked else { return defaultScopes ?? ScopeList([ScopeList.openID]) }
        let scope = ScopeList(asked)
        let foreign = scope.missing(in: scopes)
        guard foreign.isEmpty else {
            throw CustomRegistrationRefusal.scopeInvalid(foreign, allowed: scopes.text)
        }
        return scope
    }
}
