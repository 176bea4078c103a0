public import AdamantModel
import Determinism
import JSONValue

extension Ledger {
    /// The blocks of a page in its order.
    ///
    /// Pages in the order of height or time, of all blocks or of one generator's, cost no more on a long chain; other
    /// conditions and orders look at every block.
    public func blocks(_ query: BlockQuery) -> [Block] {
        chain.blockIndexes(query).map { chain.block(Int($0)) }
    }

    /// Appends a block as JSON.
    ///
    /// - Source: adamant:logic/block.js (`dbRead`)
    public func append(_ block: Block, into output: inout [UInt8]) {
        let key = block.generatorPublicKey
        output.append("{\"id\":\"", block.id.description, "\",\"version\":0,\"timestamp\":")
        output.append(decimal: Int64(block.timestamp))
        output.append(",\"height\":")
        output.append(decimal: Int64(block.height))
        output.append(",\"previousBlock\":", block.previousBlock.map { "\"\($0)\"" } ?? "null")
        output.append(",\"numberOfTransactions\":")
        output.append(decimal: Int64(block.numberOfTransactions))
        output.append(",\"totalAmount\":")
        output.append(decimal: block.totalAmount)
        output.append(",\"totalFee\":")
        output.append(decimal: block.totalFee)
        output.append(",\"reward\":")
        output.append(decimal: block.reward)
        output.append(",\"payloadLength\":")
        output.append(decimal: Int64(block.payloadLength))
        output.append(",\"payloadHash\":\"", Hex.encode(block.payloadHash))
        output.append("\",\"generatorPublicKey\":\"", Hex.encode(key))
        output.append("\",\"generatorId\":\"", address(publicKey: key).text)
        output.append("\",\"blockSignature\":\"", Hex.encode(block.signature), "\",\"confirmations\":")
        output.append(decimal: Int64(height - block.height + 1))
        output.append(",\"totalForged\":\"")
        output.append(decimal: block.totalFee.addingClamped(block.reward))
        output.append("\"}")
    }
}
