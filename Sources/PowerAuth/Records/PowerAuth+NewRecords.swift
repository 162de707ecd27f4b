import Essentials
package import PlatformKit
import SQLite

/// Registrations where there is an application for them, operations where there is a template.
extension PowerAuth: MakesRecords {
    package static let recordMakers = [
        RecordMaker<PowerAuth>(NewRegistration.kind) { platform in
            let usable = try platform.database.read { db in
                try db.all(Application.self).map(\.id).filter { name in
                    try ApplicationVersion.all(of: name, in: db).contains(where: \.isSupported)
                }
            }
            return usable.isEmpty ? nil : NewRegistration.form(applications: usable)
        } make: { platform, inputs in
            let new = try NewRegistration.activation(inputs)
            return try platform.change { turn in try platform.activations.create(new, in: turn).id }
        },
        RecordMaker(OperationForm.kind) { platform in
            try platform.database.read { db in
                let templates = try platform.world.templates(in: db).operations.keys.sorted()
                let isPossible = try !templates.isEmpty && db.count(Application.self, where: "TRUE") > 0
                return isPossible ? OperationForm.form(templates: templates) : nil
            }
        } make: { platform, inputs in
            let form = try OperationForm(inputs)
            return try platform.change { turn in try platform.makeOperation(form, in: turn).id }
        },
    ]

    /// It is of the registration's application, where one is named, and otherwise of all.
    private func makeOperation(_ form: OperationForm, in turn: Turn) throws -> Operation {
        let bound = try form.registration.flatMap { try activations.find($0, in: turn) }
        let names = try bound.map { [$0.application] } ?? turn.all(Application.self).map(\.id)
        var new = NewOperation(template: form.template, applications: names)
        new.user = form.user
        new.activation = form.registration
        new.parameters = form.parameters
        new.flag = form.flag
        new.expiresAt = form.seconds.map { turn.now.addingTimeInterval(Double($0)) }
        return try operations.create(new, in: turn)
    }
}
