/// The statements that write records of one type, or some of their columns. Put together once for each connection.
final class RecordStatements {
    /// A text, and which of the record's columns are its values.
    struct Statement {
        let text: StatementText
        let order: [Int]

        func sql(_ values: [SQLValue]) -> SQL { SQL(text, order.map { values[$0] }) }
    }

    let columns: [String]
    let insert: Statement
    // Nil for a table whose key is not among the columns.
    let save: Statement?
    let update: Statement?
    let delete: Statement?

    /// - Parameter names: of the columns, any word of SQL among them.
    init(_ table: Table, columns names: [String]) {
        self.columns = names
        let columns = names.map { "\"\($0)\"" }
        let all = Array(columns.indices)
        let key = table.key.compactMap(names.firstIndex)
        let others = all.filter { !key.contains($0) }
        let places = all.map { _ in "?" }.joined(separator: ", ")
        let condition = key.map { "\(columns[$0]) = ?" }.joined(separator: " AND ")
        let insert = "INSERT INTO \(table.name) (\(columns.joined(separator: ", "))) VALUES (\(places))"
        let change = others.map { "\(columns[$0]) = excluded.\(columns[$0])" }.joined(separator: ", ")
        let conflict = " ON CONFLICT (\(table.key.joined(separator: ", "))) DO "
        let changes = others.map { "\(columns[$0]) = ?" }.joined(separator: ", ")
        self.insert = Statement(text: StatementText(insert), order: all)
        guard key.count == table.key.count else {
            (save, update, delete) = (nil, nil, nil)
            return
        }
        save = Statement(
            text: StatementText(insert + conflict + (others.isEmpty ? "NOTHING" : "UPDATE SET " + change)),
            order: all)
        update = Statement(
            text: StatementText("UPDATE \(table.name) SET \(changes) WHERE \(condition)"), order: others + key
        )
        delete = Statement(text: StatementText("DELETE FROM \(table.name) WHERE \(condition)"), order: key)
    }
}
