//! OpenVINO's representation: an XML file of layers and edges, and a file of constants.

use std::collections::{BTreeMap, HashMap, HashSet};

use roxmltree::{Document, Node as Xml, ParsingOptions};
use seedproof_ops::{Dtype, Scalar};

use super::found::{Found, Model};
use crate::source::{Body, Framework, Source, Value};

/// The most attributes of one element. A layer has a few, and the parser compares each attribute with all others of its
/// element, which takes the square of their number.
const MOST_ATTRIBUTES: usize = 4_096;

pub(super) fn read(bytes: &[u8], constants: &[u8]) -> Result<Model, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        format!(
            "failed to read the model as UTF-8 at byte {}: {error}",
            error.valid_up_to()
        )
    })?;
    if text
        .split('<')
        .any(|tag| tag.matches('=').count() > MOST_ATTRIBUTES)
    {
        return Err(format!(
            "failed to read the model: an element has more than {MOST_ATTRIBUTES} attributes"
        ));
    }
    // A node of XML takes at least three bytes of text. This limit keeps the tree proportional to the file.
    let options = ParsingOptions {
        nodes_limit: u32::try_from(bytes.len() / 3).unwrap_or(u32::MAX).max(16),
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text, options).map_err(|error| match error {
        // The only error without a position.
        roxmltree::Error::UnclosedRootNode => {
            format!(
                "failed to read the model at byte {}, its end: {error}",
                bytes.len()
            )
        }
        error => format!("failed to read the model: {error}"),
    })?;
    let root = document.root_element();
    if root.tag_name().name() != "net" {
        return Err(format!(
            "failed to find `<net>`, the root of OpenVINO's representation: the root is `<{}>`",
            root.tag_name().name()
        ));
    }
    let mut found = Vec::new();
    // Bodies of loops and conditions are networks inside layers.
    for layers in root.descendants().filter(|node| node.has_tag_name("layers")) {
        let around = layers
            .ancestors()
            .filter_map(|node| match node.attribute("type")? {
                "Loop" | "TensorIterator" => Some(Body::Loop),
                "If" => Some(Body::Branch),
                _ => None,
            });
        let body = around.max();
        let first = found.len();
        network(layers, constants, &mut found)?;
        for op in &mut found[first..] {
            op.source
                .parameters
                .extend(body.map(|body| (Body::KEY.to_owned(), Value::Text(body.to_string()))));
        }
    }
    Ok(Model {
        found,
        ..Model::default()
    })
}

/// The layers of one network and the edges between them.
struct Network<'a, 'b> {
    layers: HashMap<&'a str, Xml<'a, 'b>>,
    /// The layer that feeds each input port of each layer.
    edges: HashMap<(&'a str, &'a str), &'a str>,
    constants: &'b [u8],
}

/// What an edge says: the layer and port that it leads to, and those that it comes from.
fn edge<'a>(node: Xml<'a, '_>) -> Option<[&'a str; 4]> {
    let [to, port] = ["to-layer", "to-port"].map(|name| node.attribute(name));
    let [from, output] = ["from-layer", "from-port"].map(|name| node.attribute(name));
    Some([to?, port?, from?, output?])
}

fn name_of<'a>(layer: Xml<'a, '_>) -> &'a str {
    layer.attribute("name").unwrap_or("")
}

impl<'a, 'b> Network<'a, 'b> {
    /// # Errors
    /// If an edge is not between two ports that there are, or a port has two.
    fn of(layers: Xml<'a, 'b>, constants: &'b [u8]) -> Result<Self, String> {
        let failed = |what: String| Err(format!("failed to read the edges: {what}"));
        let mut network = Self {
            layers: HashMap::new(),
            edges: HashMap::new(),
            constants,
        };
        let mut ports = HashSet::new();
        for layer in layers.children().filter(|node| node.has_tag_name("layer")) {
            let Some(id) = layer.attribute("id") else {
                continue;
            };
            if network.layers.insert(id, layer).is_some() {
                return failed(format!("two layers have the id `{id}`"));
            }
            for side in layer.children() {
                let of_side = side.children().filter_map(|port| port.attribute("id"));
                ports.extend(of_side.map(|port| (id, side.tag_name().name(), port)));
            }
        }
        let edges = layers.parent().into_iter().flat_map(|parent| parent.children());
        let edges = edges
            .filter(|node| node.has_tag_name("edges"))
            .flat_map(|edges| edges.children());
        for [to, port, from, output] in edges.filter_map(edge) {
            for (id, side, port) in [(to, "input", port), (from, "output", output)] {
                let Some(layer) = network.layers.get(id) else {
                    return failed(format!("there is no layer of the id `{id}`"));
                };
                if !ports.contains(&(id, side, port)) {
                    return failed(format!("layer `{}` has no {side} port `{port}`", name_of(*layer)));
                }
            }
            let name = name_of(network.layers[to]);
            if to == from {
                return failed(format!("layer `{name}` feeds its own port {port}"));
            }
            if network.edges.insert((to, port), from).is_some() {
                return failed(format!("two lead to port {port} of layer `{name}`"));
            }
        }
        Ok(network)
    }
}

fn network(layers: Xml<'_, '_>, constants: &[u8], found: &mut Vec<Found>) -> Result<(), String> {
    let network = Network::of(layers, constants)?;
    for layer in layers.children().filter(|node| node.has_tag_name("layer")) {
        let op = layer.attribute("type").unwrap_or("");
        if matches!(op, "RandomUniform" | "Multinomial") {
            found.push(network.source(layer, op)?);
        }
    }
    Ok(())
}

impl<'a> Network<'a, '_> {
    fn source(&self, layer: Xml<'a, '_>, op: &str) -> Result<Found, String> {
        let name = name_of(layer);
        let data = layer.children().find(|node| node.has_tag_name("data"));
        let attribute = |name: &str| data.and_then(|data| data.attribute(name));
        let mut parameters = BTreeMap::new();
        for seed in ["global_seed", "op_seed"] {
            parameters.insert(
                seed.to_owned(),
                seed_of(attribute(seed).unwrap_or("0"), name, seed)?,
            );
        }
        // In upper case, so that nothing that reads them depends on how a file writes them.
        for flag in ["alignment", "with_replacement", "log_probs"] {
            if let Some(text) = attribute(flag) {
                parameters.insert(flag.to_owned(), Value::Text(text.to_ascii_uppercase()));
            }
        }
        let kind = attribute(if op == "RandomUniform" {
            "output_type"
        } else {
            "convert_type"
        })
        .unwrap_or("");
        let is_uniform = op == "RandomUniform";
        let id = layer.attribute("id").unwrap_or("");
        let inputs = layer.children().filter(|node| node.has_tag_name("input"));
        let inputs = inputs.flat_map(|side| side.children());
        for port in inputs.filter_map(|port| port.attribute("id")) {
            if !self.edges.contains_key(&(id, port)) {
                return Err(format!(
                    "failed to read the edges: none leads to port {port} of layer `{name}`"
                ));
            }
        }
        if is_uniform {
            for (port, bound) in [("1", "minval"), ("2", "maxval")] {
                if let Some(value) = self.bound(layer, port, kind)? {
                    parameters.insert(bound.to_owned(), value);
                }
            }
        } else if let Some((dtype, probs)) = self.constants_at(layer, "0")? {
            parameters.insert("probs_type".to_owned(), Value::Text(dtype.name().to_owned()));
            parameters.insert("probs".to_owned(), Value::List(probs));
        }
        // A port without `<dim>` is that of a scalar.
        let output = layer.children().find(|node| node.has_tag_name("output"));
        let port = output.and_then(|output| output.children().find(|node| node.has_tag_name("port")));
        let shape: Option<Vec<u64>> = port.and_then(|port| {
            let extents = port.children().filter(|node| node.has_tag_name("dim"));
            extents.map(|dim| dim.text()?.trim().parse().ok()).collect()
        });
        // All extents of RandomUniform, and the last one of Multinomial, stand in an input too.
        let (port, from) = if is_uniform { ("0", 0) } else { ("1", 1) };
        let asked = self.constants_at(layer, port)?;
        if let (Some((_, asked)), Some(shape)) = (asked, &shape) {
            let extents = shape.iter().skip(from).map(|&extent| i64::try_from(extent).ok());
            let is_extent = |(value, extent)| matches!(value, &Value::Integer(it) if extent == Some(it));
            if extents.len() != asked.len() || !asked.iter().zip(extents).all(is_extent) {
                return Err(format!(
                    "failed to read layer `{name}`: its output has the shape {shape:?}, and its port {port} asks for {}",
                    Value::List(asked)
                ));
            }
        }
        Ok(Found {
            name: name.to_owned(),
            source: Source {
                framework: Framework::Openvino,
                op: op.to_owned(),
                kind: kind.to_owned(),
                shape,
                parameters,
            },
        })
    }

    /// The number of the constant at a port, if there is one.
    ///
    /// # Errors
    /// Those of [`Self::constants_at`], and if it is not one number of the type that the layer draws.
    fn bound(&self, layer: Xml<'a, '_>, port: &str, kind: &str) -> Result<Option<Value>, String> {
        let Some((dtype, values)) = self.constants_at(layer, port)? else {
            return Ok(None);
        };
        let [value] = values.as_slice() else {
            return Err(format!(
                "failed to read the constant at port {port} of layer `{}`: it has {} elements, expected one",
                name_of(layer),
                values.len()
            ));
        };
        match kind.parse::<Dtype>() {
            Ok(drawn) if drawn != dtype => Err(format!(
                "failed to read the constant at port {port} of layer `{}`: it is {dtype}, and the layer draws {drawn}",
                name_of(layer)
            )),
            _ => Ok(Some(value.clone())),
        }
    }

    /// The numbers of the constant at a port and their element type there; `None` if the port is not fed by a constant.
    ///
    /// # Errors
    /// If they are not in the file of constants, which may be missing or belong to another model, or take another
    /// number of bytes than their shape and type.
    fn constants_at(&self, layer: Xml<'a, '_>, port: &str) -> Result<Option<(Dtype, Vec<Value>)>, String> {
        let Some((stored, converted, [offset, size, shape])) = self.place_of(layer, port) else {
            return Ok(None);
        };
        let place = offset.parse().ok().zip(size.parse::<usize>().ok());
        let bytes = place
            .and_then(|(offset, size): (usize, usize)| self.constants.get(offset..offset.checked_add(size)?));
        let bytes = bytes.ok_or_else(|| {
            format!(
                "failed to read the constant at port {port} of layer `{}`: {size} bytes from {offset} on do not lie in the .bin file, \
                 which has {} bytes",
                name_of(layer),
                self.constants.len()
            )
        })?;
        let mut extents = shape
            .split(',')
            .map(str::trim)
            .filter(|extent| !extent.is_empty());
        let takes = extents.try_fold(stored.size(), |bytes, extent| {
            bytes.checked_mul(extent.parse().ok()?)
        });
        if takes != Some(bytes.len()) {
            return Err(format!(
                "failed to read the constant at port {port} of layer `{}`: {size} bytes are not those of {stored} of the \
                 shape [{shape}]",
                name_of(layer)
            ));
        }
        let values = bytes.chunks_exact(stored.size()).map(|bytes| {
            let scalar = Scalar::from_le_bytes(stored, bytes);
            if stored.is_float() {
                Value::Real(scalar.to_f64())
            } else {
                Value::Integer(scalar.to_i64())
            }
        });
        Ok(Some((converted, values.collect())))
    }

    /// The constant at a port, possibly behind conversions: its element types in the file and at the port, and the
    /// texts of its offset, size and shape.
    fn place_of(&self, layer: Xml<'a, '_>, port: &str) -> Option<(Dtype, Dtype, [&'a str; 3])> {
        let data_of = |layer: Xml<'a, '_>| layer.children().find(|node| node.has_tag_name("data"));
        let mut converted: Option<Dtype> = None;
        let mut from = *self
            .layers
            .get(self.edges.get(&(layer.attribute("id")?, port))?)?;
        while from.attribute("type") == Some("Convert") {
            let to = data_of(from).and_then(|data| data.attribute("destination_type"));
            converted = converted.or(Some(to?.parse().ok()?));
            let id = from.attribute("id")?;
            let next = *self.layers.get(self.edges.get(&(id, "0"))?)?;
            // A layer stands after those that feed it. A cycle of conversions in an invalid file would not end.
            if next.range().start >= from.range().start {
                return None;
            }
            from = next;
        }
        let data = data_of(from)?;
        let dtype: Dtype = data.attribute("element_type")?.parse().ok()?;
        let place = ["offset", "size", "shape"].map(|name| data.attribute(name));
        let place = [place[0]?, place[1]?, place[2]?];
        Some((dtype, converted.unwrap_or(dtype), place))
    }
}

/// A seed of 64 bits, which files write as a signed or unsigned number.
fn seed_of(text: &str, layer: &str, name: &str) -> Result<Value, String> {
    let number: i128 = text
        .parse()
        .map_err(|_| format!("failed to read {name} of layer `{layer}`: `{text}` is not a whole number"))?;
    if number < i64::MIN.into() || number > u64::MAX.into() {
        return Err(format!(
            "failed to read {name} of layer `{layer}`: `{text}` does not fit 64 bits"
        ));
    }
    let bits = crate::source::low_64(number);
    Ok(i64::try_from(bits).map_or(Value::Unsigned(bits), Value::Integer))
}
