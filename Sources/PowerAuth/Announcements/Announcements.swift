import Essentials
import PlatformKit

/// Tells back ends by callbacks and devices by pushes what became true, in the turn that makes it so.
struct Announcements: Sendable {
    let world: World

    init(_ world: World) { self.world = world }

    /// An activation was made or changed its state, or a wrong activation OTP came.
    func tell(of activation: Activation, in turn: Turn) throws {
        try callBack(.registration, for: [activation.application], in: turn) { $0.json(of: activation) }
        guard [.active, .blocked].contains(activation.state) else { return }
        var message = PushMessage(user: activation.user, activation: activation.id, isSilent: true)
        message.extras = ["messageType": "mtoken.statusChange", "activationId": .string(activation.id)]
        try push(message, in: turn)
    }

    /// - Parameter isSilent: whether devices hear nothing of it.
    func tell(ofNew operation: Operation, isSilent: Bool, in turn: Turn) throws {
        try callBack(about: operation, in: turn)
        if !isSilent, let message = try invitation(to: operation, in: turn) { try push(message, in: turn) }
    }

    /// Any later change, also a failed approval that leaves it pending.
    func tell(of operation: Operation, in turn: Turn) throws {
        try callBack(about: operation, in: turn)
        if let message = ending(of: operation, at: turn.now) { try push(message, in: turn) }
    }

    private func callBack(about operation: Operation, in turn: Turn) throws {
        try callBack(.operation, for: operation.applications.unique, in: turn) {
            $0.json(of: operation, at: turn.now)
        }
    }

    /// Title and text are those that the device shows, in the language of the operation; the real product has texts of their own.
    private func invitation(to operation: Operation, in turn: Turn) throws -> PushMessage? {
        guard let user = operation.user else { return nil }
        let template = try world.templates(in: turn.db).mobile(operation.type, in: operation.language)
        var message = PushMessage(user: user, activation: operation.activation)
        message.applications = operation.applications
        message.title = template?.title(with: operation.parameters) ?? operation.type
        message.body = template?.message(with: operation.parameters) ?? ""
        message.sound = "default"
        message.extras = members("mtoken.operationInit", of: operation)
        message.extras["activationId"] = operation.activation.map(JSONValue.string)
        return message
    }

    private func ending(of operation: Operation, at now: Date) -> PushMessage? {
        let result: String? =
            switch operation.state(at: now) {
            case .pending: nil
            case .approved: "authentication.success"
            case .failed: "authentication.fail"
            case .expired: "operation.timeout"
            // Of a rejection *assumed*.
            case .canceled, .rejected: "operation.canceled"
            }
        guard let user = operation.user, let result else { return nil }
        var message = PushMessage(user: user, activation: operation.activation, isSilent: true)
        message.applications = operation.applications
        message.extras = members("mtoken.operationFinished", of: operation)
        message.extras["mtokenOperationResult"] = .string(result)
        return message
    }

    private func members(_ type: JSONValue, of operation: Operation) -> [String: JSONValue] {
        [
            "messageType": type, "operationId": .string(operation.id),
            "operationName": .string(operation.type),
        ]
    }
}

extension Announcements {
    /// Pushes go to the outbox, one for each device, and nowhere else.
    ///
    /// - Parameter isAskedFor: whether a back end sends it, and wants to hear of a user without a device.
    /// - Returns: for each that was sent, by which service.
    @discardableResult
    func push(
        _ message: PushMessage, isAskedFor: Bool = false, in turn: Turn
    ) throws -> [PushDevice.Service] {
        let devices = try PushDevice.all(of: message.user, in: turn.db).filter {
            (message.activation == nil || $0.device.activation == message.activation)
                && (message.applications?.contains($0.application) ?? true)
        }
        let addressed = devices.filter { $0.isActive || !message.isPersonal }
        if addressed.count < devices.count {
            turn.note(
                "push kept back", about: message.user,
                "A personal push for “\(message.user)” goes to \(addressed.count) of \(devices.count) devices: the activations of the others are not active."
            )
        }
        if devices.isEmpty, isAskedFor || !message.isSilent {
            turn.note(
                "push without device", about: message.user,
                "A push for “\(message.user)” went nowhere: no device of theirs is registered for pushes; an app does that by "
                    + "POST /enrollment-server/api/push/device/register.")
        }
        let forms = PushForms(message: message)
        for addressed in addressed {
            let device = addressed.device
            var content: [String: JSONValue] = [
                "activationId": .string(device.activation), "service": .string(device.service.rawValue),
                "apns": forms.apns, "fcm": forms.fcm,
            ]
            content["apnsHeaders"] = forms.apnsHeaders.isEmpty ? nil : .object(forms.apnsHeaders)
            try turn.send(
                Message(
                    .push, kind: "push", from: Message.Address(addressed.application),
                    to: Message.Address(device.token, name: message.user), subject: message.title ?? "",
                    text: JSONValue.object(content).text, source: Vendor.name))
        }
        return addressed.map(\.device.service)
    }
}
