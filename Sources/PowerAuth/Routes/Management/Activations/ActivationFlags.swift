import Essentials
import HTTP
import PlatformKit
import SQLite

/// Flags of one activation. Source of all: published behaviour of the PowerAuth Server.
extension PowerAuth {
    /// `POST /rest/v3/activation/flags/list`: the flags of one activation.
    ///
    /// - Request: `{"activationId"}`.
    /// - Response: `activationId`, `activationFlags`.
    /// - Errors: `ERR0009`, `ERR0024`.
    func listActivationFlags(_ request: Request) throws -> Response {
        try changeFlags(request, needsFlags: false) { own, _ in own }
    }

    /// `POST /rest/v3/activation/flags/create`: adds flags that are not there yet, in their order.
    ///
    /// - Request: `{"activationId", "activationFlags"}`.
    /// - Response: `activationId`, `activationFlags`.
    /// - Errors: `ERR0009`, `ERR0024`.
    func addActivationFlags(_ request: Request) throws -> Response {
        try changeFlags(request) { own, given in (own + given).unique }
    }

    /// `POST /rest/v3/activation/flags/update`: replaces the flags.
    ///
    /// - Request: `{"activationId", "activationFlags"}`.
    /// - Response: `activationId`, `activationFlags`.
    /// - Errors: `ERR0009`, `ERR0024`.
    func replaceActivationFlags(_ request: Request) throws -> Response {
        try changeFlags(request) { _, given in given.unique }
    }

    /// `POST /rest/v3/activation/flags/remove`: takes flags away.
    ///
    /// - Request: `{"activationId", "activationFlags"}`.
    /// - Response: `activationId`, `activationFlags`.
    /// - Errors: `ERR0009`, `ERR0024`.
    func removeActivationFlags(_ request: Request) throws -> Response {
        try changeFlags(request) { own, given in own.filter { !given.contains($0) } }
    }

    private func changeFlags(
        _ request: Request, needsFlags: Bool = true, _ combine: ([String], [String]) -> [String]
    ) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("activationId")
        let given = try input.optionalTexts("activationFlags")
        if needsFlags, given == nil, input["activationFlags"] == nil {
            try input.refuse("activationFlags", "a list of flags")
        }
        try input.check()
        return try change { turn in
            var activation = try requireActivation(id, in: turn)
            let flags = combine(activation.flags, given ?? [])
            if flags != activation.flags {
                activation = try activations.setFlags(flags, of: activation, in: turn)
            }
            return .management([
                "activationId": .string(activation.id), "activationFlags": JSONValue(activation.flags),
            ])
        }
    }
}
