import Essentials
package import PlatformKit
import SQLite

extension PowerAuth {
    /// Registrations where there is an application for them, operations where there is a template.
    package func newRecords() throws -> [NewRecord] {
        try database.read { db in
            let names = try db.all(Application.self).map(\.id)
            let usable = try names.filter { name in
                try ApplicationVersion.all(of: name, in: db).contains(where: \.isSupported)
            }
            let templates = try world.templates(in: db).operations.keys.sorted()
            return (usable.isEmpty ? [] : [NewRegistration.form(applications: usable)])
                + (names.isEmpty || templates.isEmpty ? [] : [OperationForm.form(templates: templates)])
        }
    }

    package func makeRecord(_ kind: String, _ inputs: [String: String]) throws -> String {
        switch kind {
        case NewRegistration.kind:
            let new = try NewRegistration.activation(inputs)
            return try change { turn in try activations.create(new, in: turn).id }
        case OperationForm.kind:
            let form = try OperationForm(inputs)
            return try change { turn in try makeOperation(form, in: turn).id }
        default: throw RecordRefusal.kindUnknown(kind, known: [NewRegistration.kind, OperationForm.kind])
        }
    }

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
