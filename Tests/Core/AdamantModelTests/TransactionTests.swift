import AdamantModel
import JSONValue
import SystemCryptography
import TestSupport
import Testing

@Suite("Transactions and blocks")
struct TransactionTests {
    let cryptography = SystemCryptography()

    /// The private keys of the vectors by public key.
    private func pairs() throws -> [[UInt8]: KeyPair] {
        var pairs: [[UInt8]: KeyPair] = [:]
        for vector in try Vectors().list("keypairs", count: 24) {
            let pair = KeyPair(
                publicKey: try vector.hex("publicKey"),
                privateKey: try vector.hex("privateKey")
            )
            pairs[pair.publicKey] = pair
        }
        return pairs
    }

    /// The vector signed anew by our own code.
    private func signed(_ vector: JSONValue, pairs: [[UInt8]: KeyPair]) throws -> Transaction {
        let posted = try #require(vector["transaction"])
        let type = try posted.integer("type")
        let recipient = try posted["recipientId"]?.stringValue.map { try #require(Address($0)) }
        return Transaction(
            signing: try Asset(vector: try #require(posted["asset"]), type: type),
            type: Int(type),
            timestamp: Int32(try posted.integer("timestamp")),
            recipient: recipient,
            amount: try posted.integer("amount"),
            by: try #require(pairs[posted.hex("senderPublicKey")]),
            cryptography: cryptography
        )
    }

    @Test("bytes, hash, signature, id and fee of all vectors come out the same")
    func transactions() throws {
        let pairs = try pairs()
        for vector in try Vectors().list("transactions", count: 92) {
            let transaction = try signed(vector, pairs: pairs)
            #expect(try Hex.encode(transaction.unsignedBytes) == vector.text("unsignedBytesHex"))
            let hash = cryptography.sha256(transaction.unsignedBytes)
            #expect(try Hex.encode(hash) == vector.text("signedHashHex"))
            #expect(try Hex.encode(transaction.signature) == vector.text("signature"))
            #expect(try Hex.encode(transaction.fullBytes) == vector.text("fullBytesHex"))
            #expect(try transaction.id.description == vector.text("id"))
            #expect(try transaction.fee == vector.integer("fee"))
            let posted = try #require(vector["transaction"])
            #expect(try transaction.sender.text == posted.text("senderId"))
            #expect(
                cryptography.verify(
                    signature: transaction.signature,
                    message: hash,
                    publicKey: transaction.senderPublicKey
                )
            )
        }
    }

    @Test("a posted transaction holds what the vectors post")
    func postedMembers() throws {
        let pairs = try pairs()
        for vector in try Vectors().list("transactions", count: 92) where vector["kind"] != "delegate" {
            let ours = try #require(signed(vector, pairs: pairs).postedJSON.objectValue)
            var theirs = try #require(vector["transaction"]?.objectValue)
            theirs["timestampMs"] = nil
            let pairs = { (object: JSONObject) in
                object.members.filter { $0.key != "asset" }.map { "\($0.key) \($0.value.text)" }.sorted()
            }
            #expect(pairs(ours) == pairs(theirs))
            for (name, members) in theirs["asset"]?.objectValue?.members.map({ ($0.key, $0.value) }) ?? [] {
                guard let members = members.objectValue else {
                    #expect(ours["asset"]?[name] == members)
                    continue
                }
                #expect(ours["asset"]?[name]?.objectValue.map(pairs) == pairs(members))
            }
        }
    }

    @Test("a changed byte, key or length makes a signature invalid")
    func wrongSignatures() throws {
        let pair = try #require(cryptography.keyPair(seed: Array(0..<32)))
        let message = Array("message".utf8)
        let signature = cryptography.sign(message, privateKey: pair.privateKey)
        #expect(cryptography.verify(signature: signature, message: message, publicKey: pair.publicKey))
        var changed = signature
        changed[5] ^= 1
        for (signature, message, key) in [
            (changed, message, pair.publicKey), (signature, message + [0], pair.publicKey),
            (signature, message, Array(pair.publicKey.reversed())),
            (signature + [0], message, pair.publicKey),
            (Array(signature.dropLast()), message, pair.publicKey),
            (signature, message, pair.publicKey + [0]),
            ([], message, pair.publicKey), (signature, message, []),
        ] {
            #expect(!cryptography.verify(signature: signature, message: message, publicKey: key))
        }
    }

    @Test("five consecutive blocks come out the same")
    func blocks() throws {
        let pairs = try pairs()
        var byId: [String: Transaction] = [:]
        for vector in try Vectors().list("transactions", count: 92) {
            byId[try vector.text("id")] = try signed(vector, pairs: pairs)
        }
        for vector in try Vectors().list("blocks", count: 5) {
            let header = try #require(vector["block"])
            let ids = try #require(vector["transactionIdsInOrder"]?.arrayValue).compactMap(\.stringValue)
            let transactions = try ids.map { try #require(byId[$0]) }
            let generator = try #require(pairs[header.hex("generatorPublicKey")])
            let height = Int(try vector.integer("height"))
            let block = Block(
                height: height,
                timestamp: Int32(try header.integer("timestamp")),
                previousBlock: Identifier(try header.text("previousBlock")),
                transactions: Block.inBlockOrder(transactions),
                reward: Rewards.reward(height: height),
                generator: generator,
                cryptography: cryptography
            )
            #expect(Block.inBlockOrder(transactions) == transactions)
            try compare(block, with: header)
            #expect(try Hex.encode(block.unsignedBytes) == vector.text("unsignedBytesHex"))
            #expect(try Hex.encode(block.fullBytes) == vector.text("fullBytesHex"))
            #expect(try block.id.description == vector.text("id"))
        }
    }

    @Test("a block holds transactions by type, then amount, and equal ones as they came")
    func blockOrder() throws {
        let pairs = try pairs()
        let transactions = try Vectors().list("transactions", count: 92).map { try signed($0, pairs: pairs) }
        let ordered = Block.inBlockOrder(transactions)
        #expect(Set(ordered) == Set(transactions))
        for (left, right) in zip(ordered, ordered.dropFirst()) {
            let (key, nextKey) = ((left.type, left.amount), (right.type, right.amount))
            #expect(key <= nextKey)
            guard key == nextKey else { continue }
            let places = try [left, right].map { try #require(transactions.firstIndex(of: $0)) }
            #expect(places[0] <= places[1])
        }
    }

    private func compare(_ block: Block, with header: JSONValue) throws {
        #expect(try block.totalAmount == header.integer("totalAmount"))
        #expect(try block.totalFee == header.integer("totalFee"))
        #expect(try block.reward == header.integer("reward"))
        #expect(try Int64(block.numberOfTransactions) == header.integer("numberOfTransactions"))
        #expect(try Int64(block.payloadLength) == header.integer("payloadLength"))
        #expect(try block.payloadHash == header.hex("payloadHash"))
        #expect(try block.signature == header.hex("blockSignature"))
        #expect(try block.generatorPublicKey == header.hex("generatorPublicKey"))
    }
}
