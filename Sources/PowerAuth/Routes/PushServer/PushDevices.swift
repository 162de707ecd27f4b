import Essentials
import HTTP
import PlatformKit
import SQLite

/// Source of all: documentation of the PowerAuth Push Server, “Push Server API”, and its published behaviour.
extension PowerAuth {
    /// `POST /push/device/create`: where pushes of an activation go from now on.
    ///
    /// - Request: `{"requestObject": {"appId", "token", "platform": "apns", "fcm" or "hms", "environment"?: "development" or "production",
    ///   "activationId"}}`.
    /// - Response: `200 {"status":"OK"}`. A token that another activation had goes over to this one, where it had none.
    /// - Errors: `ERROR_GENERIC` for what is missing, an application or an activation that is not there; `ERROR_REQUEST`.
    func createPushDevice(_ request: Request) throws -> Response {
        let input = try pushServerInput(request)
        let application = try input.text("appId", orSay: "App ID must not be null.", 1...255)
        let id = try input.text("activationId", orSay: "Activation ID must not be null.", 1...255)
        guard input["platform"] != nil else {
            throw PushServerRefusal(.generic, "Platform must not be null.")
        }
        let service = try input.read("platform", "one of apns, fcm, hms, ios, android, huawei") {
            $0.string.flatMap(PushDevice.Service.init(named:))
        }
        let environment = try input.optionalChoice("environment", PushDevice.Environment.self)
        let token = try input.text("token", orSay: "Push token must not be null or empty.")
        guard let service else { throw PushServerRefusal(.generic, "Platform must not be null.") }
        try change { turn in
            guard try Application.find(application, in: turn.db) != nil else {
                throw PushServerRefusal.applicationMissing(application)
            }
            let activation = try pushActivation(id, in: turn)
            guard activation.application == application else {
                throw PushServerRefusal(
                    .generic, "Application with given ID does not exist",
                    "The activation \(id) is one of the application “\(activation.application)”, not of “\(application)”, whose pushes its device would not hear."
                )
            }
            try PushDevice(
                activation: id, service: service, token: token, environment: environment,
                registeredAt: turn.now
            ).register(in: turn)
        }
        return .powerAuth()
    }

    private func pushActivation(_ id: String, in turn: Turn) throws -> Activation {
        guard let activation = try activations.find(id, in: turn), activation.state != .removed else {
            throw PushServerRefusal(
                .generic, "Device registration failed because associated activation is not ACTIVE",
                "There is no activation \(id.prefix(60)), or it was removed.")
        }
        turn.concern(activation)
        return activation
    }

    /// `POST /push/device/create/multi`: one device of several activations, which servers take only where they are set up so.
    ///
    /// - Request: anything.
    /// - Response: none.
    /// - Errors: `ERROR_GENERIC` always, as of a server with its standard settings.
    func createSharedPushDevice(_ request: Request) throws -> Response {
        _ = try pushServerInput(request)
        throw PushServerRefusal(
            .generic, "Registration of multiple associated activations per device is not enabled.")
    }

    /// `POST` and `DELETE /push/device/delete`: forgets the devices of an application that have the token.
    ///
    /// - Request: `{"requestObject": {"appId", "token"}}`.
    /// - Response: `200 {"status":"OK"}`, also when there was none.
    /// - Errors: `ERROR_GENERIC` for what is missing; `ERROR_REQUEST`.
    func deletePushDevice(_ request: Request) throws -> Response {
        let input = try pushServerInput(request)
        let application = try input.text("appId", orSay: "App ID must not be null.", 1...255)
        let token = try input.text("token", orSay: "Push token must not be null or empty.")
        try change { try PushDevice.forget(token, of: application, in: $0.db) }
        return .powerAuth()
    }

    /// `POST` and `PUT /push/device/status/update`: the state of an activation changed, which is known here.
    ///
    /// - Request: `{"activationId", "activationStatus"?}`, without an envelope.
    /// - Response: `200 {"status":"OK"}`.
    /// - Errors: `ERROR_GENERIC` without an activation; `ERROR_REQUEST`.
    func updatePushDevice(_ request: Request) throws -> Response {
        let input = try pushServerInput(request, isWrapped: false)
        let id = try input.text("activationId", orSay: "Activation ID must not be null.", 1...255)
        _ = try input.optionalChoice("activationStatus", Activation.State.self)
        try input.check()
        try change { turn in
            if let activation = try activations.find(id, in: turn) { turn.concern(activation) }
        }
        return .powerAuth()
    }
}
